/**
 * What of the journal is news? Turns are kept as they were said; on the way to a design, here and nowhere else, what was
 * recalled and only said again is cut out of them: what stands between the marks of recalled text, and the stretches that
 * whoever recorded the turn knew to be repeated. A turn of which nothing is left is not handed on.
 */
import { z } from "zod";
import type { Turn } from "../base/turn.ts";
import { cutRecalled } from "../text/recalled-marks.ts";

/** The reserved name under which a turn's metadata says which stretches of its text were recalled: [from, to) each. */
export const RECALLED_SPANS = "neuromem:recalled";

const spansSchema = z.array(z.tuple([z.int().min(0), z.int().min(0)])).catch([]);

export function heardTurns(turns: readonly Turn[]): readonly Turn[] {
  return turns.map(heard).filter(({ text, captions }) => text.trim() !== "" || captions.length > 0);
}

function heard(turn: Turn): Turn {
  const text = cutRecalled(withoutSpans(turn));
  const captions = turn.captions.map(cutRecalled);
  const isWhole = text === turn.text && captions.every((caption, place) => caption === turn.captions[place]);
  return isWhole ? turn : { ...turn, text, captions: captions.filter((caption) => caption.trim() !== "") };
}

function withoutSpans({ text, metadata }: Turn): string {
  const spans = metadata[RECALLED_SPANS];
  if (spans === undefined) return text;
  let [out, at] = ["", 0];
  for (const [from, to] of spansSchema.parse(spans).sort(([a], [b]) => a - b)) {
    out += text.slice(at, Math.max(at, from));
    at = Math.max(at, to);
  }
  return `${out}${text.slice(at)}`.trim().toWellFormed();
}
