/** A memory with its time before it, in the memory's language: [9 June 2023] … , [2023年6月9日] … ; 3 days ago, … , 3天前，… */
import { z } from "zod";
import type { Found } from "../../../pipeline/question.ts";
import { detectLanguage } from "../../../text/language.ts";
import { momentStyle, printMoment } from "../print-moment.ts";

export const temporalOptions = z.strictObject({
  augment_type: z.literal("temporal").describe("Shows when it happened before each hit's text."),
  style: momentStyle,
  form: z
    .enum(["brackets", "clause"])
    .describe("brackets: [3 days ago] …; clause: 3 days ago, …, as LD-Agent writes it."),
});

export function addTime(found: Found, { style, form }: z.infer<typeof temporalOptions>): Found {
  const { zone, at: now } = found.question;
  const print = { style, zone, now };
  const hits = found.hits.map((hit) =>
    hit.text === ""
      ? hit
      : { ...hit, text: FORMS[form](printMoment(hit.happenedAt, hit.text, print), hit.text) },
  );
  return { ...found, hits };
}

const FORMS = {
  brackets: (moment: string, text: string) => `[${moment}] ${text}`,
  clause: (moment: string, text: string) => `${moment}${detectLanguage(text) === "zh" ? "，" : ", "}${text}`,
} as const;
