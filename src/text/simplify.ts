/**
 * How are traditional and simplified Chinese brought together? Character by character into simplified, so that one
 * lexicon serves both and a query in one script finds a text in the other. Offsets do not move: one unit per unit.
 */
import { TRADITIONAL_TO_SIMPLIFIED } from "./lexicon/traditional.ts";

const simplifiedByTraditional: ReadonlyMap<number, string> = readPairs();

/** The same text in simplified characters, of the same length. */
export function simplify(text: string): string {
  let out = "";
  let copied = 0;
  for (let i = 0; i < text.length; i++) {
    const simplified = simplifiedByTraditional.get(text.charCodeAt(i));
    if (simplified === undefined) continue;
    out += text.slice(copied, i) + simplified;
    copied = i + 1;
  }
  return copied === 0 ? text : out + text.slice(copied);
}

function readPairs(): Map<number, string> {
  const pairs = new Map<number, string>();
  for (let i = 0; i < TRADITIONAL_TO_SIMPLIFIED.length; i += 2) {
    const traditional = TRADITIONAL_TO_SIMPLIFIED.charCodeAt(i);
    pairs.set(traditional, TRADITIONAL_TO_SIMPLIFIED.charAt(i + 1));
  }
  return pairs;
}
