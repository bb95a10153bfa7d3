/**
 * Which lines does a draft hold? As long as it still says what its turns said, one line for each of them, so that a task
 * reads dialogue as dialogue; a draft that an action has rewritten is a line by itself.
 */
import type { Turn } from "../../base/turn.ts";
import { type Draft, textOf } from "../../pipeline/draft.ts";
import type { Line } from "../../tasks/dialogue.ts";

export interface DraftLine {
  readonly draft: Draft;
  /** As a task is shown it. */
  readonly line: Line;
  /** As the draft writes it. */
  readonly text: string;
  readonly turns: readonly Turn[];
  readonly sources: readonly string[];
}

export function linesOf(draft: Draft): readonly DraftLine[] {
  const { turns, content } = draft;
  for (const withSpeaker of [true, false]) {
    const texts = turns.map((turn) => textOf(turn, withSpeaker));
    if (texts.join("\n") !== content) continue;
    return turns.map((turn, place) => ({
      draft,
      line: turn,
      text: texts[place] ?? "",
      turns: [turn],
      sources: [turn.id],
    }));
  }
  return [{ draft, line: wholeLine(draft), text: content, turns: draft.turns, sources: draft.sources ?? [] }];
}

/** What a draft keeps of where and when it comes from, if it comes from these lines only. */
export function originOf(lines: readonly DraftLine[]): Pick<Draft, "turns" | "sources" | "happenedAt"> {
  const turns = [...new Set(lines.flatMap((one) => one.turns))];
  const moments = lines.flatMap(({ draft, line }) => line.happenedAt ?? draft.happenedAt ?? []);
  return {
    turns,
    sources: [...new Set(lines.flatMap(({ sources }) => sources))],
    happenedAt: moments.length === 0 ? undefined : Math.max(...moments),
  };
}

function wholeLine({ content, turns, happenedAt }: Draft): Line {
  const speakers = [...new Set(turns.map(({ speaker }) => speaker))];
  const speaker = speakers.length === 1 ? (speakers[0] ?? "") : "";
  const mark = `${speaker}: `;
  return {
    speaker,
    text: speaker !== "" && content.startsWith(mark) ? content.slice(mark.length) : content,
    captions: [],
    happenedAt,
    zone: turns.at(-1)?.zone ?? null,
  };
}
