/** Only in these languages. */
import { z } from "zod";
import type { Draft } from "../../../pipeline/draft.ts";
import { detectLanguage } from "../../../text/language.ts";
import type { Failure } from "./rule.ts";

export const languageRule = z.strictObject({
  rule: z.literal("language").describe("Only in these languages, as far as the script tells."),
  allowed: z
    .array(z.enum(["en", "zh", "other"]))
    .min(1)
    .describe("en for Latin letters, zh for Chinese characters, other for any other script or none."),
});

export function checkLanguage(
  { content }: Draft,
  { allowed }: z.infer<typeof languageRule>,
): Failure | undefined {
  const language = detectLanguage(content);
  return allowed.includes(language)
    ? undefined
    : { problem: `is in the language ${language}, not in ${allowed.join(" or ")}` };
}
