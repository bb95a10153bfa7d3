/**
 * Fewer words, in a model's own: a summary of each memory that is longer than it may be, or one of all of them, which is
 * shown in the place of the best; the others stay as what it was made of, and nothing more is shown of them. Without a model
 * the most central sentences stand in. A summary that is longer than was asked for is cut.
 */
import { z } from "zod";
import type { Claims, PostRetrievalContext } from "../../../pipeline/action.ts";
import type { Found } from "../../../pipeline/question.ts";
import { summarize } from "../../../tasks/summarize.ts";
import { leadingPart } from "../../../text/leading-part.ts";
import { splitWords } from "../../../text/words.ts";

export const abstractiveOptions = z.strictObject({
  compress_type: z.literal("abstractive").describe("A summary in a model's own words."),
  unit: z.enum(["hit", "all"]).describe("Whether each hit gets a summary, or all get one together."),
  max_words: z
    .int()
    .min(1)
    .describe("How many words a summary has at most; what is no longer stays as it is."),
  summarize_prompt: z.string().min(1).describe('The prompt for the task "summarize".'),
});
type Options = z.infer<typeof abstractiveOptions>;

export function abstractiveClaims({ summarize_prompt: prompt }: Options): Claims {
  return { prompts: [{ task: summarize, prompt }] };
}

export async function summarizeHits(
  found: Found,
  context: PostRetrievalContext,
  { unit, max_words, summarize_prompt }: Options,
): Promise<Found> {
  const inShort = async (texts: readonly string[]): Promise<string> => {
    const whole = texts.join("\n");
    const isShort = (text: string): boolean => splitWords(text).length <= max_words;
    if (isShort(whole)) return whole;
    const { summary } = await context.think(summarize, { texts: [...texts], max_words }, summarize_prompt);
    return leadingPart(summary, isShort);
  };
  if (unit === "hit") {
    const hits = await Promise.all(
      found.hits.map(async (hit) => ({ ...hit, text: await inShort([hit.text]) })),
    );
    return { ...found, hits };
  }
  if (found.hits.length === 0) return found;
  const summary = await inShort([...new Set(found.hits.map(({ text }) => text))]);
  const hits = found.hits.map((hit, place) => ({ ...hit, text: place === 0 ? summary : "" }));
  return { ...found, hits, context: summary };
}
