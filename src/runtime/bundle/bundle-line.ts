/**
 * What stands on the lines of a bundle? One JSON object each, told apart by `line`:
 *
 *     header  which format, which design, which indexes and vector spaces it had
 *     turn    what was said, with both clocks; `taken`: the design has taken it up; `shown`: and shows it with the next window
 *     entry   a memory or a node of the graph, with all its fields, its vectors and the indexes it joined when it came
 *     join    the indexes that an entry joined later, in the order in which all joined: queues depend on it
 *     edge    a link between two entries of the bundle
 *     work    something that waits to be decided about an entry
 *     end     how many of each there were, and the SHA-256 of all lines before: a file that was cut is noticed
 *
 * Moments are ISO 8601 with milliseconds, which is exact; vectors are base64 of little-endian float32.
 */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { jsonObjectSchema } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import { ROLES } from "../../base/turn.ts";

export const FORMAT = "neuromem";
export const VERSION = 1;

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function momentText(moment: number): string {
  return new Date(moment).toISOString();
}

const moment = z
  .string()
  .refine(
    (text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
    "must be a moment as 2026-05-01T12:00:00.000Z",
  )
  .transform((text) => Date.parse(text));

const id = z.uuid("must be the id of a turn or an entry");
const label = z.string().min(1);
const base64 = z.base64();

const header = z.strictObject({
  line: z.literal("header"),
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  exportedAt: moment,
  scope: z.string(),
  preset: z.string(),
  service: z.string(),
  collection: z.string(),
  vectors: z.boolean(),
  /** `space`: of those that hold vectors. */
  indexes: z.array(z.strictObject({ name: label, kind: label, space: z.string().nullable() })),
});

const turn = z.strictObject({
  line: z.literal("turn"),
  id,
  session: z.string(),
  speaker: z.string(),
  role: z.enum(ROLES),
  text: z.string(),
  captions: z.array(z.string()),
  happenedAt: moment,
  zone: z.string().nullable(),
  recordedAt: moment,
  metadata: jsonObjectSchema,
  taken: z.boolean(),
  shown: z.boolean(),
});

const entry = z.strictObject({
  line: z.literal("entry"),
  id,
  kind: z.string(),
  content: z.string(),
  rationale: z.string(),
  tags: z.array(z.string()),
  metadata: jsonObjectSchema,
  happenedAt: moment,
  recordedAt: moment,
  createdAt: moment,
  updatedAt: moment,
  lastAccessAt: moment,
  accessCount: z.number(),
  usefulCount: z.number(),
  importance: z.number().nullable(),
  strength: z.number(),
  pinned: z.boolean(),
  energy: z.strictObject({ value: z.number(), at: moment }).nullable(),
  tier: z.string().nullable(),
  sources: z.array(z.string()),
  supersededBy: id.nullable(),
  indexes: z.array(label),
  vectors: z.record(z.string(), base64),
});

const join = z.strictObject({ line: z.literal("join"), id, indexes: z.array(label).min(1) });

const edge = z.strictObject({
  line: z.literal("edge"),
  from: id,
  to: id,
  type: z.string(),
  weight: z.number(),
  directed: z.boolean(),
  provenance: z.string(),
  createdAt: moment,
});

const work = z.strictObject({
  line: z.literal("work"),
  id: label,
  entry: id,
  payload: jsonObjectSchema,
  runAt: moment,
});

const count = z.number().int().min(0);
const end = z.strictObject({
  line: z.literal("end"),
  turns: count,
  entries: count,
  joins: count,
  edges: count,
  work: count,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

const schema = z.discriminatedUnion("line", [header, turn, entry, join, edge, work, end]);

export type BundleLine = z.output<typeof schema>;
export type HeaderLine = z.output<typeof header>;
export type TurnLine = z.output<typeof turn>;
export type EntryLine = z.output<typeof entry>;
export type JoinLine = z.output<typeof join>;
export type EdgeLine = z.output<typeof edge>;
export type WorkLine = z.output<typeof work>;
export type EndLine = z.output<typeof end>;
/** As it is written: moments are texts. */
export type WrittenLine = z.input<typeof schema>;

/** One line of text, whatever is in it: the two separators of Unicode are line ends for some readers. */
export function writeLine(line: WrittenLine): string {
  return JSON.stringify(line).replace(/[\u2028\u2029]/g, (sign) =>
    sign === "\u2028" ? "\\u2028" : "\\u2029",
  );
}

/** The checked line; a refusal names its number. */
export function readLine(text: string, number: number): BundleLine {
  const value = readJson(text, number);
  if (number === 1) checkVersion(value);
  return parseInput(schema, value, `line ${number} of the bundle`);
}

function readJson(text: string, number: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new MemoryError(
      "input_invalid",
      `Line ${number} of the bundle is no JSON: it was cut or changed. Valid: a file as export writes it.`,
      { cause, details: { line: number } },
    );
  }
}

/** Told before anything else of it is looked at: another version may have other lines. */
function checkVersion(value: unknown): void {
  const { success, data } = z.object({ format: z.literal(FORMAT), version: z.number() }).safeParse(value);
  if (!success) {
    throw new MemoryError(
      "input_invalid",
      `This is no bundle: its first line is no header. Valid: {"line":"header","format":"${FORMAT}","version":${VERSION},…}, as export writes it.`,
    );
  }
  if (data.version === VERSION) return;
  throw new MemoryError(
    "input_invalid",
    `The bundle has version ${data.version}; this neuromem reads version ${VERSION}. Valid: a newer neuromem, or a bundle of this version. Nothing was changed.`,
    { details: { found: data.version, supported: VERSION } },
  );
}
