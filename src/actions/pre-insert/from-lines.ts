/** A draft that says something made from these lines: of all the drafts that they are of, with their turns and times. */
import { invariant } from "../../base/errors.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { type DraftLine, originOf } from "./lines-of.ts";
import { mergeDrafts, recast } from "./recast.ts";

export function fromLines(
  lines: readonly DraftLine[],
  changes: Partial<Draft> & Pick<Draft, "content">,
): Draft {
  const [first, ...others] = new Set(lines.map(({ draft }) => draft));
  invariant(first !== undefined, "A draft was to be made from no lines");
  const base = others.length === 0 ? first : mergeDrafts(first, others);
  return recast(base, { ...originOf(lines), ...changes });
}
