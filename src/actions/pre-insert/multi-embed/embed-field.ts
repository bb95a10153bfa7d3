/** The vectors of one text of each draft, all made in one call; what has no such text has no such vector. */
import type { Vector } from "../../../base/vector.ts";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { fieldText, type TextField } from "./field-text.ts";

/** `to`: the vector field they are for. */
export async function embedField(
  drafts: readonly Draft[],
  { embed, note }: PreInsertContext,
  field: TextField,
  to: string,
): Promise<(Vector | undefined)[]> {
  const there = drafts.flatMap((draft, place) => {
    const text = fieldText(draft, field);
    return text === undefined ? [] : [{ text, place }];
  });
  if (there.length < drafts.length) note(`without_${field}`, drafts.length - there.length);
  const texts = there.map(({ text }) => text);
  const made = await embed(texts, to);
  const out: (Vector | undefined)[] = drafts.map(() => undefined);
  for (const [i, { place }] of there.entries()) out[place] = made[i];
  return out;
}
