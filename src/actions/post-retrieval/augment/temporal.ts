/** A memory with its time before it, in the memory's language: [9 June 2023] … , [2023年6月9日] … */
import { z } from "zod";
import type { Found } from "../../../pipeline/question.ts";
import { momentStyle, printMoment } from "../print-moment.ts";

export const temporalOptions = z.strictObject({
  augment_type: z.literal("temporal").describe("Shows when it happened before each hit's text."),
  style: momentStyle,
});

export function addTime(found: Found, { style }: z.infer<typeof temporalOptions>): Found {
  const { zone, at: now } = found.question;
  const print = { style, zone, now };
  const hits = found.hits.map((hit) =>
    hit.text === "" ? hit : { ...hit, text: `[${printMoment(hit.happenedAt, hit.text, print)}] ${hit.text}` },
  );
  return { ...found, hits };
}
