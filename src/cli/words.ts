/** In which language does the command line speak? Every sentence of its own is written in both. */
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import type { Words } from "../operations/words.ts";

export type { Words };

export type Language = keyof Words;

const LANGUAGES: readonly Language[] = ["en", "zh"];

/** As asked for, else as the surroundings say (LC_ALL before LC_MESSAGES before LANG), else English. */
export function languageOf(
  asked: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Language {
  if (asked !== undefined) {
    const found = LANGUAGES.find((language) => language === asked);
    if (found !== undefined) return found;
    throw new MemoryError(
      "option_invalid",
      `There is no language "${asked}". ${validNames(asked, LANGUAGES)}`,
    );
  }
  const place = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((value) => value !== undefined && value !== "");
  return place?.startsWith("zh") === true ? "zh" : "en";
}
