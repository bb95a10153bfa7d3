/** A draft that says something made from these lines: of all the drafts that they are of, with their turns and times. */
import { invariant } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
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
  const said = recast(base, { ...originOf(lines), ...changes });
  return { ...said, metadata: inOwnSession(said) };
}

/** A draft of several sessions names the last; what was made of some of its lines is of the session of these, or of none. */
function inOwnSession({ metadata = {}, turns }: Draft): JsonObject {
  const { session, ...rest } = metadata;
  if (session === undefined || turns.length === 0) return metadata;
  const [own, ...more] = new Set(turns.map((turn) => turn.session));
  return own === undefined || own === "" || more.length > 0 ? rest : { ...rest, session: own };
}
