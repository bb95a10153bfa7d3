/**
 * Basic formatting only (S0-40, S0-95): one line for each hit, under a heading; a text that comes twice is said once, as
 * when several triples were read out of one sentence (B.0.2). What other actions know beside the hits comes first. A line
 * break within a memory cannot begin another line.
 */
import { z } from "zod";
import { defineAction } from "../../pipeline/action.ts";
import { oneLine } from "../../tasks/dialogue.ts";
import { allLines } from "./format/text-sections.ts";
import { shownHits } from "./found-hits.ts";

export const noPostRetrieval = defineAction({
  stage: "post_retrieval",
  name: "none",
  summary: "Lists what was found, each text once, under a heading.",
  options: z.strictObject({
    conversation_format_prompt: z
      .string()
      .describe('What stands before the list, in the language of the preset\'s users; "" for nothing.'),
  }),
  run(found, _context, { conversation_format_prompt: heading }) {
    const lines = [...new Set(shownHits(found.hits).map(({ text }) => oneLine(text)))];
    const above = heading === "" || lines.length === 0 ? [] : [heading];
    const context = [...allLines(found.sections), ...above, ...lines].join("\n");
    return { ...found, context };
  },
});
