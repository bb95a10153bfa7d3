/**
 * Turns and edges as lines of a bundle tell them; and could a line be taken in at all? Whatever is made of it then is made
 * here once for trial, so that an import never fails half-way for what stands on a line.
 */
import { type Edge, makeEdge } from "../../base/edge.ts";
import { type EntryId, parseEntryId, parseTurnId, type TurnId } from "../../base/ids.ts";
import { PUBLIC, type Scope } from "../../base/scope.ts";
import { makeTurn, type Turn } from "../../base/turn.ts";
import { checkVector } from "../../base/vector.ts";
import type { BundleLine, EdgeLine, TurnLine } from "./bundle-line.ts";
import { entryOf, vectorsOf } from "./entry-line.ts";

export function turnOf(line: TurnLine, id: TurnId, scope: Scope): Omit<Turn, "seq"> {
  const { line: _, id: __, recordedAt, taken: ___, shown: ____, ...said } = line;
  return makeTurn(said, { id, scope, recordedAt });
}

export function edgeOf(
  { line: _, createdAt, ...edge }: EdgeLine,
  ends: { readonly from: EntryId; readonly to: EntryId },
  scope: Scope,
): Edge {
  return makeEdge({ ...edge, ...ends }, scope, createdAt);
}

/** Throws what making it throws. */
export function checkSound(line: BundleLine): void {
  if (line.line === "turn") turnOf(line, parseTurnId(line.id), PUBLIC);
  if (line.line === "edge")
    edgeOf(line, { from: parseEntryId(line.from), to: parseEntryId(line.to) }, PUBLIC);
  if (line.line !== "entry") return;
  entryOf(line, { id: parseEntryId(line.id), collection: "", scope: PUBLIC, supersededBy: null });
  for (const vector of vectorsOf(line)) checkVector(vector);
}
