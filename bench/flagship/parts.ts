/** The flagship without each of its parts: which option to set otherwise, so that the part does nothing. */
import type { JsonObject } from "../../src/base/json.ts";

export interface Part {
  readonly name: string;
  /** What a reader is told about it. */
  readonly what: string;
  readonly without?: JsonObject;
  /** Where no option of one value does it: a file beside this one. */
  readonly file?: string;
}

const BLEND = "stages.memory_retrieval.blend";
const EMBED = "stages.pre_insert.blend_embed";

export const PARTS: readonly Part[] = [
  { name: "sentences", what: "the vectors of its sentences", without: { [`${EMBED}.sentence_weight`]: 0 } },
  { name: "before", what: "the vector of the turn before", without: { [`${EMBED}.before_weight`]: 0 } },
  // So heavy that the question without names counts for nothing.
  { name: "names", what: "the question without names", without: { [`${BLEND}.named_weight`]: 10 } },
  { name: "around", what: "words heard around a turn", file: "alone.yaml" },
  { name: "dates", what: "the day among the words", without: { "service.text.dates": false } },
  { name: "words", what: "words at all", without: { [`${BLEND}.weights.words`]: 0 } },
  { name: "nearness", what: "meaning at all", without: { [`${BLEND}.weights.nearness`]: 0 } },
  { name: "speaker", what: "who said it", without: { [`${BLEND}.weights.speaker`]: 0 } },
  { name: "kind", what: "the kind of answer", without: { [`${BLEND}.weights.kind`]: 0 } },
  { name: "question", what: "questions held back", without: { [`${BLEND}.weights.question`]: 0 } },
  { name: "repeat", what: "what was asked before, behind", without: { [`${BLEND}.weights.repeat`]: 0 } },
  { name: "company", what: "company of the session", without: { [`${BLEND}.weights.company`]: 0 } },
  { name: "bridge", what: "the second hop, by names", without: { [`${BLEND}.weights.bridge`]: 0 } },
  { name: "crowding", what: "several occasions for lists", without: { [`${BLEND}.weights.crowding`]: 0 } },
  { name: "unseen", what: "doubt about who is in one list only", without: { [`${BLEND}.unseen`]: 0 } },
];
