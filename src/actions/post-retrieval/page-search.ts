/**
 * The model looks on by itself (MemGPT's search tools): it sees what was found, and may page through messages that contain
 * a text and through filed passages. It only reads. What its pages bring is fused with what was there; where nobody can use
 * tools, that stays as it is, and the record says so. Nothing is embedded in this stage (S0-39): passages are looked up by
 * words, or by meaning for the question as it was asked.
 */
import { z } from "zod";
import { where } from "../../base/filter.ts";
import { defineAction, type PostRetrievalContext } from "../../pipeline/action.ts";
import { type Found, type FoundHit, toFound } from "../../pipeline/question.ts";
import {
  type Page,
  pageNumber,
  pageOfMessages,
  pageOfPassages,
  printPage,
} from "../../services/memory-pages.ts";
import { printNumbered } from "../../tasks/dialogue.ts";
import type { TalkResult } from "../../tasks/heartbeat.ts";
import type { Asker } from "../../tasks/prompt-library.ts";
import { type BoundTool, bindTool } from "../../tasks/tool.ts";
import { toolTextsOf } from "../../tasks/tool-texts.ts";
import { fuseNamed } from "../memory-retrieval/fuse-lists.ts";

const options = z.strictObject({
  tool_use: z
    .boolean()
    .describe("Whether the model looks on with tools; false: what was found stays as it is."),
  recall_tier: z.string().min(1).describe("The tier of the messages."),
  archival_tier: z.string().min(1).describe("The tier of the passages."),
  page_size: z.int().min(1).describe("Results of one page of a search."),
  max_steps: z.int().min(1).describe("Most steps of the model for one question."),
  rrf_k: z.number().min(0).describe("The k of reciprocal rank fusion of what was found with the pages."),
  agent_prompt: z.string().min(1).describe("Id of the prompt that tells the model how to look on."),
  tools_prompt: z.string().min(1).describe("Id of the prompt that describes the tools."),
});
type Options = z.infer<typeof options>;

export const pageSearch = defineAction({
  stage: "post_retrieval",
  name: "page_search",
  summary: "Lets the model page through messages and passages with search tools (MemGPT).",
  options,
  claims: ({ recall_tier, archival_tier, agent_prompt, tools_prompt }) => ({
    abilities: ["tiers", "text"],
    tiers: [...new Set([recall_tier, archival_tier])],
    hints: [
      { strategy: "structured", names: ["tiers"] },
      { strategy: "lexical", names: ["tiers"] },
    ],
    prompts: [
      { task: asker(agent_prompt), prompt: agent_prompt },
      { task: toolTextsOf(tools_prompt), prompt: tools_prompt },
    ],
  }),
  async run(found, context, given) {
    const { rrf_k, tool_use } = given;
    if (!tool_use) {
      context.note("tool_use", false);
      return found;
    }
    const pages: FoundHit[][] = [];
    const talk = await lookOn(found, context, given, pages);
    context.note(
      "tool_use",
      talk.path === "model" ? true : `false, though true was wanted: ${talk.reason ?? "no model"}`,
    );
    if (talk.steps.length > 0) {
      context.note(
        "steps",
        talk.steps.map((step) => ({ ...step })),
      );
    }
    const brought = pages.filter((page) => page.length > 0);
    if (brought.length === 0) return found;
    const lists = [
      { name: "search", hits: found.hits, weight: 1 },
      ...brought.map((hits) => ({ name: "page", hits, weight: 1 })),
    ];
    return { ...found, hits: fuseNamed(lists, { strategy: "rrf", rrf_k, weights: null }) };
  },
});

function asker(prompt: string): Asker {
  return { prompt, placeholders: ["question", "found"], rules: "rules_tools" };
}

function lookOn(
  { question, hits }: Found,
  context: PostRetrievalContext,
  given: Options,
  pages: FoundHit[][],
): Promise<TalkResult> {
  return context.talk({
    name: "page_search",
    asker: asker(given.agent_prompt),
    values: { question: question.text, found: printNumbered(hits.map(({ text }) => text)) },
    about: question.text,
    toolsPrompt: given.tools_prompt,
    tools: toolsOf(question, context, given, pages),
    maxSteps: given.max_steps,
    isPressed: false,
  });
}

const text = z.string().min(1);

function toolsOf(
  question: Found["question"],
  { store, note }: PostRetrievalContext,
  { recall_tier, archival_tier, page_size: size }: Options,
  pages: FoundHit[][],
): BoundTool[] {
  const { filter } = question;
  // Whatever the model looks for, the question's own filter holds.
  const retrieve: typeof store.retrieve = (query) => {
    const both = [query.filter, filter].filter((one) => one !== undefined);
    return store.retrieve({ ...query, filter: both.length < 2 ? both[0] : where.and(...both) });
  };
  const show = (found: Page) => {
    pages.push(found.hits.map(toFound));
    return printPage(found);
  };
  const vectorsOf = (query: string) => (query === question.text ? (question.queries[0]?.vectors ?? []) : []);
  return [
    bindTool("conversation_search", { query: text, page: pageNumber }, async (given) =>
      show(await pageOfMessages(retrieve, { ...given, tier: recall_tier, size })),
    ),
    bindTool("archival_memory_search", { query: text, page: pageNumber }, async (given) =>
      show(await pageOfPassages(retrieve, { ...given, tier: archival_tier, size }, vectorsOf(given.query))),
    ),
    bindTool(
      "send_message",
      { message: z.string() },
      async ({ message }) => {
        note("said", message);
        return "done";
      },
      { canGoOn: false },
    ),
  ];
}
