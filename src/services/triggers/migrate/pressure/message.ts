/** A message as a line of dialogue: its entry's text may say who speaks. */
import type { Entry } from "../../../../base/entry.ts";
import type { Line } from "../../../../tasks/dialogue.ts";

export function asLine(entry: Entry): Line {
  const speaker = speakerOf(entry);
  const mark = `${speaker}: `;
  const { content, happenedAt } = entry;
  const text = speaker !== "" && content.startsWith(mark) ? content.slice(mark.length) : content;
  return { speaker, text, captions: [], happenedAt };
}

export function speakerOf({ metadata }: Entry): string {
  return typeof metadata.speaker === "string" ? metadata.speaker : "";
}
