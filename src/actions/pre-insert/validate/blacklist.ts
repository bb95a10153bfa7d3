/**
 * None of these words, in nothing that is stored of a draft; where one stands, it can be masked. Whole words in English,
 * anywhere and in both scripts in Chinese.
 */
import { z } from "zod";
import type { Json, JsonObject } from "../../../base/json.ts";
import type { Draft, DraftParams } from "../../../pipeline/draft.ts";
import { findMentions } from "../../../text/mentions.ts";
import { measuresOf } from "../recast.ts";
import type { Failure } from "./rule.ts";

export const blacklistRule = z.strictObject({
  rule: z.literal("blacklist").describe("None of these words."),
  words: z
    .array(z.string().regex(/\S/))
    .min(1)
    .describe("Words or phrases, in any case, width and Chinese script."),
});

const MASK = "*";

type Mask = (text: string) => string;

export function checkBlacklist(draft: Draft, { words }: z.infer<typeof blacklistRule>): Failure | undefined {
  let count = 0;
  const repaired = masked(draft, (text) => {
    const found = findMentions(text, words);
    count += found.length;
    return found.reduceRight(
      (left, { start, end }) => left.slice(0, start) + MASK.repeat(end - start) + left.slice(end),
      text,
    );
  });
  return count === 0 ? undefined : { problem: `holds ${count} forbidden words`, repaired };
}

/** What was embedded of the words goes, too. */
function masked(draft: Draft, mask: Mask): Draft {
  const { embedText, rationale, tags, metadata } = draft;
  return {
    ...draft,
    content: mask(draft.content),
    ...(embedText === undefined ? {} : { embedText: mask(embedText) }),
    ...(rationale === undefined ? {} : { rationale: mask(rationale) }),
    ...(tags === undefined ? {} : { tags: [...new Set(tags.map(mask))] }),
    ...(metadata === undefined ? {} : { metadata: maskedObject(metadata, mask) }),
    insertParams: maskedParams(draft.insertParams, mask),
    vectors: measuresOf(draft),
  };
}

function maskedParams(params: DraftParams, mask: Mask): DraftParams {
  const { originalText, summary, triples } = params;
  return {
    ...params,
    ...(originalText === undefined ? {} : { originalText: mask(originalText) }),
    ...(summary === undefined ? {} : { summary: mask(summary) }),
    ...(triples === undefined
      ? {}
      : {
          triples: triples.map(({ subject, relation, object }) => ({
            subject: mask(subject),
            relation: mask(relation),
            object: mask(object),
          })),
        }),
  };
}

function maskedObject(given: JsonObject, mask: Mask): JsonObject {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, maskedJson(value, mask)]));
}

function maskedJson(value: Json, mask: Mask): Json {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((one: Json) => maskedJson(one, mask));
  return isObject(value) ? maskedObject(value, mask) : value;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
