/**
 * What of a window of dialogue is worth keeping? SimpleMem's first stage (S2-3 … S2-18): windows that overlap a little, each
 * restated as sentences that need nothing around them, with keywords, persons, entities, place, topic and time. A window
 * that says nothing leaves nothing; its turns stay in the journal.
 */
import { z } from "zod";
import { where } from "../../base/filter.ts";
import type { Hit } from "../../base/hit.ts";
import type { JsonObject } from "../../base/json.ts";
import { mapLimited } from "../../models/map-limited.ts";
import { defineAction, type PreInsertContext } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { compressDialogue } from "../../tasks/compress-dialogue.ts";
import { fromLines } from "./from-lines.ts";
import { type DraftLine, linesOf } from "./lines-of.ts";
import { momentOf } from "./moment-of.ts";
import { promptOption } from "./prompt-option.ts";

const options = z
  .strictObject({
    window_size: z.number().int().min(1).describe("How many lines of dialogue are compressed together."),
    overlap: z
      .number()
      .int()
      .min(0)
      .describe(
        "How many lines at the end of a window the next one reads again, to understand what follows.",
      ),
    compress_prompt: promptOption("the memories in a window of dialogue"),
    previous_entries: z
      .number()
      .int()
      .min(0)
      .describe(
        "How many memories of the window before are shown, so that they are not said again; those of the last packet are the newest stored.",
      ),
    parallel_windows: z
      .number()
      .int()
      .min(1)
      .describe("How many windows are worked on at once; those at once do not see each other's memories."),
  })
  .refine(({ window_size, overlap }) => overlap < window_size, {
    path: ["overlap"],
    error: "must be less than window_size",
  });
type Options = z.infer<typeof options>;

export const compressWindow = defineAction({
  stage: "pre_insert",
  name: "compress_window",
  summary: "Restates windows of dialogue as sentences that stand by themselves (SimpleMem).",
  options,
  claims: ({ compress_prompt: prompt }) => ({
    insertMethods: ["default"],
    rewrites: true,
    hints: [{ strategy: "structured", names: [] }],
    prompts: [{ task: compressDialogue, prompt }],
  }),
  async run({ drafts }, context, given) {
    const lines = drafts.flatMap(linesOf);
    const before = await readBefore(lines, context, given);
    const windows = windowsOf(lines, given);
    const out: Draft[] = [];
    let previous: readonly { readonly content: string }[] = before.entries;
    for (let at = 0; at < windows.length; at += given.parallel_windows) {
      const together = windows.slice(at, at + given.parallel_windows);
      const shown = previous.slice(0, given.previous_entries).map(({ content }) => content);
      const made = await mapLimited(
        together,
        given.parallel_windows,
        (window) => compressed(window, shown, before.cited, context, given),
        context.signal,
      );
      out.push(...made.flat());
      previous = made.at(-1) ?? [];
    }
    context.note("windows", windows.length);
    return distinct(out);
  },
});

/** Packets overlap, too: which of these turns stored memories cite already, and what was stored last. */
async function readBefore(
  lines: readonly DraftLine[],
  { store }: PreInsertContext,
  { overlap, previous_entries }: Options,
): Promise<{ readonly entries: readonly Hit[]; readonly cited: ReadonlySet<string> }> {
  const hints = { strategy: "structured" } as const;
  const ids = lines.slice(0, overlap).flatMap(({ sources }) => sources);
  const citing =
    ids.length === 0
      ? []
      : await store.retrieve({
          filter: where.or(...ids.map((id) => where.contains("sources", id))),
          topK: MANY,
          hints,
          own: true,
        });
  const entries =
    previous_entries === 0 ? [] : await store.retrieve({ topK: previous_entries, hints, own: true });
  return { entries: entries.reverse(), cited: new Set(citing.flatMap(({ sources }) => sources)) };
}

/** More memories than a few turns give. */
const MANY = 100;

interface Window {
  readonly lines: readonly DraftLine[];
  /** How many of its first lines the window before has read. */
  readonly known: number;
}

/** The last window holds at least one line that no other does. */
function windowsOf(lines: readonly DraftLine[], { window_size, overlap }: Options): Window[] {
  const windows: Window[] = [];
  for (let start = 0; start < lines.length; start += window_size - overlap) {
    const known = start === 0 ? 0 : overlap;
    if (start > 0 && start + known >= lines.length) break;
    windows.push({ lines: lines.slice(start, start + window_size), known });
  }
  return windows;
}

async function compressed(
  { lines, known }: Window,
  previous: readonly string[],
  cited: ReadonlySet<string>,
  { think }: PreInsertContext,
  { compress_prompt }: Options,
): Promise<Draft[]> {
  const given = { lines: lines.map(({ line }) => line), previous: [...previous] };
  const { entries } = await think(compressDialogue, given, compress_prompt);
  return entries.flatMap((entry) => {
    const { lossless_restatement: content, sources, timestamp, ...fields } = entry;
    const told = sources.flatMap((number) => lines[number] ?? []);
    // What only the overlap says was the window's before, or the last packet's.
    const isKnown = (line: DraftLine): boolean =>
      lines.indexOf(line) < known || (line.sources.length > 0 && line.sources.every((id) => cited.has(id)));
    if (told.length > 0 && told.every(isKnown)) return [];
    const from = told.length > 0 ? told : lines;
    const happenedAt = timestamp === null ? undefined : momentOf(timestamp, from[0]?.line.zone ?? "UTC");
    return [
      fromLines(from, {
        content,
        kind: undefined,
        ...(happenedAt === undefined ? {} : { happenedAt }),
        // Whoever spoke in these lines, not in all that came with them.
        metadata: { persons: speakersOf(from), ...said({ ...fields, timestamp }) },
        insertMethod: "default",
      }),
    ];
  });
}

function speakersOf(lines: readonly DraftLine[]): string[] {
  return [...new Set(lines.map(({ line }) => line.speaker).filter((name) => name !== ""))];
}

/** What was left empty says nothing against what is known of the lines. */
function said(fields: Readonly<Record<string, string | readonly string[] | null>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value.length > 0));
}

/** Windows worked on at once may say the same. */
function distinct(drafts: readonly Draft[]): Draft[] {
  const seen = new Set<string>();
  return drafts.filter(({ content }) => seen.size < seen.add(content).size);
}
