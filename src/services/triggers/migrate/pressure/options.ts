/** What MemGPT's memory is told: which tier is what, how full the window may be, what the blocks are, and who edits them. */
import { z } from "zod";
import { blockSchema } from "../../../../policies/core-block.ts";
import { compactionSchema } from "../../../../policies/queue-flush.ts";

const tier = z.string().min(1);
const prompt = (what: string) => z.string().min(1).describe(`Id of the prompt ${what}.`);

export const pressureOptions = z
  .strictObject({
    migrate_policy: z
      .literal("pressure")
      .describe("By the room in a model's window, with core memory beside it (MemGPT)."),
    tiers: z
      .strictObject({
        queue: tier.describe("Where messages are while they are in view; it has the index queue."),
        recall: tier.describe("Where messages stay that left the view; best lying under the queue's tier."),
        core: tier.describe("Where the blocks are that are always in view."),
        archival: tier.describe("Where passages are filed."),
      })
      .describe("Which tier is what."),
    window_tokens: z.int().min(1).describe("How many tokens of messages a model is to see at most."),
    warning_share: z
      .number()
      .gt(0)
      .max(1)
      .describe("Beyond this share of the window there is one warning until the next flush."),
    flush_share: z.number().gt(0).max(1).describe("Beyond this share of the window the queue is flushed."),
    compaction: compactionSchema.describe("Which messages leave in a flush."),
    summarize_prompt: prompt("that asks for the summary of what leaves"),
    summary_max_words: z.int().min(1).describe("Most words of that summary."),
    summary_batch: z
      .int()
      .min(1)
      .describe("Most messages shown to the model at once for it; more are taken up step by step."),
    blocks: z
      .array(blockSchema)
      .min(1)
      .refine(
        (blocks) => new Set(blocks.map(({ label }) => label)).size === blocks.length,
        "blocks need different labels",
      )
      .describe("The blocks of core memory."),
    human_label: z.string().describe("The block that rules write to: what is known of the person."),
    persona_prompt: prompt("that asks what a dialogue tells about the person"),
    importance_prompt: prompt("that asks how much a message matters, where nobody has judged it"),
    archive_importance: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe("Messages that matter so much (0 to 1) are filed as passages by rules; null: none are."),
    tool_use: z
      .boolean()
      .describe("Whether the model edits the memory itself with tools (true), or rules do (false)."),
    agent_prompt: prompt("that tells the model how to keep the memory"),
    tools_prompt: prompt("that describes the tools"),
    max_steps: z.int().min(1).describe("Most steps of the model after a packet."),
    page_size: z.int().min(1).describe("Results of one page of a search."),
  })
  .refine(({ blocks, human_label }) => blocks.some(({ label }) => label === human_label), {
    path: ["human_label"],
    error: "must be the label of one of the blocks",
  });
export type PressureOptions = Readonly<z.infer<typeof pressureOptions>>;
