/**
 * The triples a draft states. It is asked about as one text, in which "I" and "yesterday" already say who and when: each
 * line is restated by who said it before the lines are put together. Names that an action before found are passed on.
 */
import type { PreInsertContext } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { extractTriples } from "../../tasks/extract-triples.ts";
import { restateLine } from "../../tasks/local/restate.ts";
import type { Triple } from "../../text/triple.ts";
import { linesOf } from "./lines-of.ts";

export async function triplesOf(
  draft: Draft,
  { think }: Pick<PreInsertContext, "think">,
  prompt: string,
): Promise<readonly Triple[]> {
  const lines = linesOf(draft).map(({ line }) => line);
  const texts: string[] = [];
  for (const place of lines.keys()) texts.push(await restateLine(lines, place));
  const given = { text: texts.join("\n"), entities: namesIn(draft) };
  return (await think(extractTriples, given, prompt)).triples;
}

function namesIn({ metadata }: Draft): string[] {
  const names = metadata?.entities;
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}
