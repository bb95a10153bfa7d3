/**
 * The model edits its own memory (MemGPT): it sees the blocks, the queue and what is new, and has six tools. Whatever they
 * do is done by the service, in the caller's scope, and told step by step.
 */
import { z } from "zod";
import type { Entry } from "../../../../base/entry.ts";
import { printLine } from "../../../../tasks/dialogue.ts";
import { runTalk, type TalkResult } from "../../../../tasks/heartbeat.ts";
import type { Asker } from "../../../../tasks/prompt-library.ts";
import { type BoundTool, bindTool } from "../../../../tasks/tool.ts";
import { pageNumber, pageOfMessages, pageOfPassages, printPage } from "../../../memory-pages.ts";
import { thinkingOf } from "../../derived.ts";
import { allVitals } from "../../own-entries.ts";
import type { TriggerContext } from "../../trigger.ts";
import { file } from "./archive.ts";
import type { CoreMemory } from "./core-memory.ts";
import type { Made, Packet } from "./made.ts";
import { asLine } from "./message.ts";
import type { PressureOptions } from "./options.ts";
import type { MessageQueue } from "./queue.ts";

const NAME = "self_edit";

/** The prompt as the library is asked for it. */
export function selfEditAsker(prompt: string): Asker {
  return {
    prompt,
    placeholders: ["core_memory", "recall_count", "archival_count", "queue", "new_messages"],
    rules: "rules_tools",
  };
}

export interface SelfEdit {
  readonly context: TriggerContext;
  readonly options: PressureOptions;
  readonly queue: MessageQueue;
  readonly packet: Packet;
  readonly core: CoreMemory;
  readonly made: Made;
  readonly isPressed: boolean;
}

export async function selfEdit(edit: SelfEdit): Promise<TalkResult> {
  const { context, options, queue, packet, core, isPressed } = edit;
  const counts = await countTiers(context, options.tiers);
  const isNew = new Set(packet.messages.map(({ id }) => id));
  const earlier = queue.messages.filter(({ id }) => !isNew.has(id)).map(print);
  const fresh = packet.messages.map(print).join("\n");
  return runTalk(
    {
      name: NAME,
      asker: selfEditAsker(options.agent_prompt),
      values: {
        core_memory: await core.print(),
        recall_count: counts.recall,
        archival_count: counts.archival,
        queue: [queue.summary?.content ?? [], earlier].flat().join("\n"),
        new_messages: fresh,
      },
      about: fresh,
      toolsPrompt: options.tools_prompt,
      tools: toolsOf(edit),
      maxSteps: options.max_steps,
      isPressed,
    },
    thinkingOf(context),
  );
}

const text = z.string();

function toolsOf({ context, options, packet, core, made }: SelfEdit): BoundTool[] {
  const { tiers, page_size: size, blocks } = options;
  const label = z.enum(blocks.map((block) => block.label));
  const retrieve: TriggerContext["retrieve"] = (query) => context.retrieve({ ...query, own: true });
  return [
    bindTool("core_memory_append", { label, content: text }, async (given) => {
      await core.append(given.label, given.content);
      return "done";
    }),
    bindTool("core_memory_replace", { label, old_content: text, new_content: text }, async (given) => {
      await core.replace(given.label, given.old_content, given.new_content);
      return "done";
    }),
    bindTool("conversation_search", { query: text.min(1), page: pageNumber }, async (given) =>
      printPage(await pageOfMessages(retrieve, { ...given, tier: tiers.recall, size })),
    ),
    bindTool("archival_memory_insert", { content: text.regex(/\S/, "must not be empty") }, async (given) =>
      (await file(context, tiers.archival, given.content.trim(), packet, made)) ? "done" : "known already",
    ),
    bindTool("archival_memory_search", { query: text.min(1), page: pageNumber }, async (given) => {
      const vectors = (await context.deps.embedder?.embedQuery(given.query, { scope: context.scope })) ?? [];
      return printPage(await pageOfPassages(retrieve, { ...given, tier: tiers.archival, size }, vectors));
    }),
    bindTool(
      "send_message",
      { message: text },
      async ({ message }) => {
        made.said.push(message);
        return "done";
      },
      { canGoOn: false },
    ),
  ];
}

/** Of the scope's own; what is in view is in recall, too. */
async function countTiers(
  context: TriggerContext,
  { queue, recall, archival }: PressureOptions["tiers"],
): Promise<{ readonly recall: number; readonly archival: number }> {
  const own = await allVitals(context);
  return {
    recall: own.filter(({ tier }) => tier === queue || tier === recall).length,
    archival: own.filter(({ tier }) => tier === archival).length,
  };
}

function print(entry: Entry): string {
  return printLine(asLine(entry));
}
