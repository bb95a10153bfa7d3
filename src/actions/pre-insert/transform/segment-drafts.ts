/**
 * Which lines belong together? The packet's lines go to the task segment_topics as one dialogue; what comes back is
 * brought to the wanted sizes, too small a segment joining a neighbour and too large a one being cut between its lines,
 * or within a line that is too large by itself. Every line is in exactly one segment.
 */
import { z } from "zod";
import { invariant } from "../../../base/errors.ts";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { type Line, saidIn } from "../../../tasks/dialogue.ts";
import { segmentTopics } from "../../../tasks/segment-topics.ts";
import { estimateTokens } from "../../../text/token-count.ts";
import { fromLines } from "../from-lines.ts";
import { type DraftLine, linesOf } from "../lines-of.ts";
import { promptOption } from "../prompt-option.ts";
import { cutText } from "./cut-text.ts";

/** Options of every transform that segments. */
export const segmentOptions = {
  segment_prompt: promptOption("the segments of a dialogue"),
  min_segment_size: z
    .number()
    .int()
    .min(0)
    .describe(
      "Fewest tokens of a segment: a smaller one joins a neighbour, if both together are not too large.",
    ),
  max_segment_size: z.number().int().min(1).describe("Most tokens of a segment: a larger one is cut."),
};

export interface SegmentSizes {
  readonly segment_prompt: string;
  readonly min_segment_size: number;
  readonly max_segment_size: number;
}

export const segmentClaims = ({ segment_prompt }: SegmentSizes) => [
  { task: segmentTopics, prompt: segment_prompt },
];

export function sizesFit({ min_segment_size, max_segment_size }: SegmentSizes): boolean {
  return min_segment_size <= max_segment_size;
}

export const SIZES_MISFIT = { path: ["min_segment_size"], error: "must not be above max_segment_size" };

/** Which lines are shown as one, and how many of these make a segment where a model's division cannot be used. */
export interface Exchanges {
  readonly turns: number;
  readonly malformed: number | null;
}

const SINGLE_LINES: Exchanges = { turns: 1, malformed: null };

/** One draft per segment, with `segment` naming the stretch (its first source) and `summary` what it is about. */
export async function segmentDrafts(
  drafts: readonly Draft[],
  context: PreInsertContext,
  options: SegmentSizes,
  exchanges: Exchanges = SINGLE_LINES,
): Promise<Draft[]> {
  const lines = drafts.flatMap(linesOf);
  if (lines.length === 0) return [];
  const units = groupsOf(lines, exchanges.turns);
  const found = await divide(units, context, options.segment_prompt, exchanges.malformed);
  const sized = joinSmall(found, options).flatMap((segment) => cutLarge(segment, options));
  context.note("segments", sized.length);
  return sized.map(toDraft);
}

interface Segment {
  readonly lines: readonly DraftLine[];
  readonly summary: string;
}

interface SizedSegment extends Segment {
  readonly name: string;
  readonly content: string;
}

async function divide(
  units: readonly (readonly DraftLine[])[],
  { ask, note }: PreInsertContext,
  prompt: string,
  malformed: number | null,
): Promise<Segment[]> {
  const { reply, warnings } = await ask(segmentTopics, { lines: units.map(asOneLine) }, prompt);
  if (malformed !== null && warnings.some(({ code }) => code === "reply_invalid")) {
    note("malformed_segmentation", units.length);
    return groupsOf(units, malformed).map((group) => ({ lines: group.flat(), summary: "" }));
  }
  return reply.segments.map(({ start, end, summary }) => ({
    lines: units.slice(start, end + 1).flat(),
    summary,
  }));
}

function groupsOf<One>(all: readonly One[], size: number): One[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, place) => all.slice(place * size, (place + 1) * size));
}

/** As the first of its speakers would begin it: who else speaks is named in the text. */
function asOneLine(lines: readonly DraftLine[]): Line {
  const [first, ...others] = lines.map(({ line }) => line);
  invariant(first !== undefined, "An exchange has no lines");
  const more = others.map((line) =>
    line.speaker === "" ? saidIn(line) : `${line.speaker}: ${saidIn(line)}`,
  );
  return { ...first, text: [saidIn(first), ...more].join("\n"), captions: [] };
}

function joinSmall(
  segments: readonly Segment[],
  { min_segment_size: min, max_segment_size: max }: SegmentSizes,
): Segment[] {
  const out: Segment[] = [];
  for (const segment of segments) {
    const before = out.at(-1);
    const small = before !== undefined && (sizeOf(before.lines) < min || sizeOf(segment.lines) < min);
    if (small && sizeOf([...before.lines, ...segment.lines]) <= max)
      out.splice(-1, 1, joined(before, segment));
    else out.push(segment);
  }
  return out;
}

function joined(one: Segment, other: Segment): Segment {
  const summary = [one.summary, other.summary].filter((text) => text !== "").join("\n");
  return { lines: [...one.lines, ...other.lines], summary };
}

/** The parts of one stretch keep its name. */
function cutLarge({ lines, summary }: Segment, { max_segment_size: max }: SegmentSizes): SizedSegment[] {
  const name = lines[0]?.sources[0] ?? "";
  const parts: DraftLine[][] = [];
  for (const line of lines) {
    const part = parts.at(-1);
    if (part !== undefined && sizeOf([...part, line]) <= max) part.push(line);
    else parts.push([line]);
  }
  return parts.flatMap((part) =>
    cutText(contentOf(part), { size: max, overlap: 0, strategy: "paragraph" }).map((content) => ({
      name,
      lines: part,
      summary,
      content,
    })),
  );
}

function contentOf(lines: readonly DraftLine[]): string {
  return lines.map(({ text }) => text).join("\n");
}

function sizeOf(lines: readonly DraftLine[]): number {
  return estimateTokens(contentOf(lines));
}

function toDraft({ name, lines, summary, content }: SizedSegment): Draft {
  return fromLines(lines, {
    content,
    kind: "segment",
    insertMethod: "segment_insert",
    insertParams: { segment: name, ...(summary === "" ? {} : { summary }) },
  });
}
