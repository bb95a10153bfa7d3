/** How sure is a search that it found what was asked? The signs of what the two lists and their blend show. */
import type { Hit } from "../../../base/hit.ts";
import type { Vector } from "../../../base/vector.ts";
import {
  behindOthers,
  type ConfidenceOptions,
  type ConfidenceSigns,
  confidenceFrom,
  missingWords,
  type SaidTurn,
} from "../../../policies/confidence.ts";
import { tokenize } from "../../../text/tokenize.ts";

export interface Looked {
  readonly text: string;
  readonly vectors: readonly Vector[];
  readonly byWords: readonly Hit[];
  readonly byMeaning: readonly Hit[];
  /** All candidates, where the question calls one who takes part by name; else none. */
  readonly turns: readonly SaidTurn[];
}

export interface Confidence {
  readonly confidence: number;
  readonly signs: ConfidenceSigns;
}

/** null where cosines are not of the embedders that the numbers were chosen for: how near is near is another thing there. */
export function confidenceOf(
  { text, vectors, byWords, byMeaning, turns }: Looked,
  options: ConfidenceOptions,
): Confidence | null {
  if (vectors.length === 0 || vectors.some(({ space }) => !options.spaces.includes(space))) return null;
  const signs = {
    nearness: byMeaning[0]?.score ?? 0,
    missing: missingWords(tokenize(text), wordsOf(byWords[0])),
    behind: behindOthers(turns, options.lead),
  };
  return { confidence: confidenceFrom(signs, options), signs };
}

/** The surest: a question may be asked in several ways or parts. */
export function surest(found: readonly (Confidence | null)[]): Confidence | null {
  return found.reduce((best, one) => ((one?.confidence ?? -1) > (best?.confidence ?? -1) ? one : best), null);
}

/** As the text index names the parts of its score. */
const TERM = "term:";

function wordsOf(hit: Hit | undefined): Set<string> {
  const parts = Object.keys(hit?.scoreParts ?? {}).filter((part) => part.startsWith(TERM));
  return new Set(parts.map((part) => part.slice(TERM.length)));
}
