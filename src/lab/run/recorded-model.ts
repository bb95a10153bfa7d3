/**
 * What a model once read out of the passages, replayed as a model: names and triples for whoever asks for those at writes. A
 * design that asks for anything else at writes gets no recording, for half of its work would be missing; questions find nobody
 * who answers, as nothing is recorded for them, and are answered by rules.
 */
import { MemoryError } from "../../base/errors.ts";
import { type ChatModel, NO_USAGE } from "../../models/model.ts";
import type { Preset } from "../../preset/preset.ts";
import { splitWords } from "../../text/words.ts";
import type { LabTurn, RecordedKnowledge } from "../dataset.ts";

const RECORDED = ["extract_entities", "extract_triples"];

/** Whether all that a design asks at writes was recorded, and it asks something. */
export function isReplayable({ stages }: Preset): boolean {
  const tasks = [...stages.pre_insert, ...stages.memory_insert, ...stages.post_insert].flatMap(({ claims }) =>
    (claims.prompts ?? []).map(({ task }) => task.prompt),
  );
  return tasks.length > 0 && tasks.every((task) => RECORDED.includes(task));
}

export function recordedModel(
  turns: readonly LabTurn[],
  recorded: ReadonlyMap<string, RecordedKnowledge>,
): ChatModel {
  let place = 0;
  const words = turns.map(({ text }) => wordsOf(text));
  /** Passages come in their order, so that the last one or the next is nearly always meant. */
  const passageIn = (prompt: string): LabTurn | undefined => {
    const asked = wordsOf(prompt);
    const share = (at: number): number => shareOf(words[at] ?? new Set(), asked);
    const best = (places: readonly number[]): number =>
      places.reduce((one, other) => (share(other) > share(one) ? other : one), places[0] ?? -1);
    const near = best([place, place + 1]);
    const found = share(near) >= MOST ? near : best([...turns.keys()]);
    if (share(found) < MOST) return undefined;
    place = found;
    return turns[found];
  };
  return {
    id: "recorded",
    provider: "recording",
    json: "schema",
    async generate({ messages, shape }) {
      const task = shape?.name ?? "";
      const passage = RECORDED.includes(task)
        ? passageIn(messages.map(({ text }) => text).join("\n"))
        : undefined;
      const known = passage && recorded.get(passage.ref);
      if (known === undefined)
        throw new MemoryError(
          "model_refused",
          `The recording has no answer for the task ${task || "without a name"}.`,
        );
      const reply = task === "extract_entities" ? { entities: known.entities } : { triples: known.triples };
      return { text: JSON.stringify(reply), toolCalls: [], finish: "stop", usage: NO_USAGE };
    },
  };
}

/** A prompt leaves out what cannot be seen and writes the day for "last week": so much of a passage stands in it all the same. */
const MOST = 0.8;

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(splitWords(text).map(({ text: word }) => word));
}

function shareOf(words: ReadonlySet<string>, among: ReadonlySet<string>): number {
  let found = 0;
  for (const word of words) if (among.has(word)) found++;
  return words.size === 0 ? 0 : found / words.size;
}
