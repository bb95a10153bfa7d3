/** A question as it can be understood without the talk before it. */
import type { Line } from "../dialogue.ts";
import { restate, talkAt } from "./restate.ts";

export interface AskedInTalk {
  readonly question: string;
  readonly speaker?: string | undefined;
  readonly lines: readonly Line[];
  readonly happenedAt?: number | undefined;
  readonly zone?: string | null | undefined;
}

export async function standAlone({
  question,
  speaker,
  lines,
  happenedAt,
  zone,
}: AskedInTalk): Promise<string> {
  const asked: Line = { speaker: speaker ?? "", text: question, captions: [], happenedAt, zone };
  const talk = await talkAt([...lines, asked], lines.length);
  return restate(question, { ...talk, speaker });
}
