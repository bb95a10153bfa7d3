/**
 * Does what is new clash with what is known (C-10)? Memories near it go through the chain of detectors, and the preset
 * says what happens to those that clash. By default they are superseded and stay readable: a contradiction is
 * information, and nothing vanishes (C-11).
 */
import { z } from "zod";
import type { NewEntry } from "../../base/entry.ts";
import type { Hit } from "../../base/hit.ts";
import type { EntryId } from "../../base/ids.ts";
import type { JsonObject } from "../../base/json.ts";
import { defineAction } from "../../pipeline/action.ts";
import { type ConflictFinding, findConflicts } from "../../policies/conflict.ts";
import { CONFLICT_DETECTORS } from "../../policies/conflict-options.ts";
import { planResolution, RESOLUTIONS } from "../../policies/conflict-resolution.ts";
import { detectConflict } from "../../tasks/detect-conflict.ts";
import type { Statement } from "../../tasks/rules/conflict.ts";
import { NEAR_BY, type Round, runRounds } from "./round/rounds.ts";
import { settleCrud } from "./round/settle.ts";

const options = z
  .strictObject({
    search: z
      .enum(NEAR_BY)
      .describe(
        "Whether memories near the new one are found by meaning or by words; words give no similarity.",
      ),
    topk: z.int().min(1).describe("How many memories near the new one are compared with it."),
    detectors: z
      .array(z.enum(CONFLICT_DETECTORS))
      .min(1)
      .describe("Who compares two statements, in this order; later ones see what earlier ones found."),
    similarity_threshold: z.number().min(0).max(1).describe("More alike than this is suspect."),
    require_attribute_key: z
      .boolean()
      .describe("Whether a statement that names no attribute of anybody clashes with nothing."),
    min_confidence: z.number().min(0).max(1).describe("A model's verdict counts from this confidence on."),
    resolution: z
      .enum(RESOLUTIONS)
      .describe(
        "What happens on a clash: skip retires the new one, replace deletes the old, append keeps both, supersede retires the old, ask keeps both and reports them as a question.",
      ),
    prompt: z.string().min(1).describe("Id of the prompt that llm_verify asks with."),
  })
  .refine(({ search, detectors }) => search === "semantic" || detectors.some((one) => one !== "similarity"), {
    path: ["detectors"],
    error: "must hold another than similarity, which words do not give, unless search is semantic",
  });
type Options = z.infer<typeof options>;

export const conflictCheck = defineAction({
  stage: "post_insert",
  name: "conflict_check",
  summary: "Finds what a new memory repeats, refines, updates or contradicts, and resolves it.",
  options,
  claims: ({ search, detectors, prompt }) => ({
    cycle: true,
    hints: [{ strategy: search, names: [] }],
    embedder: search === "semantic",
    prompts: detectors.includes("llm_verify") ? [{ task: detectConflict, prompt }] : [],
  }),
  async run({ inserted }, context, given) {
    const notes: JsonObject[] = [];
    const decided = new Set<EntryId>();
    await runRounds(inserted, context, given, async (round) => {
      const fresh = statementOf(round.draft);
      const candidates = round.near
        .map((hit) => ({
          ...statementOf(hit),
          hit,
          ...(given.search === "semantic" ? { similarity: hit.score } : {}),
        }))
        .filter((known) => !areOfThemselves(fresh, known));
      const conflicts = await findConflicts(fresh, candidates, chainOf(given), {
        verify: (pair) => context.ask(detectConflict, pair, given.prompt),
      });
      const plan = planResolution(conflicts, given.resolution);
      const known = { remove: plan.remove.map(hitOf), supersede: plan.supersede.map(hitOf) };
      const skippedFor = plan.insert ? undefined : surest(conflicts)?.candidate.hit;
      if (conflicts.length > 0) notes.push(noteOf(round, plan.action, conflicts));
      if (plan.action !== "asked") decided.add(round.id);
      return carryOut(round, { ...known, skippedFor });
    });
    await settleCrud(context.store, decided);
    context.note("conflicts", notes);
    return undefined;
  },
});

interface Candidate extends Statement {
  readonly hit: Hit;
}

interface Decision {
  readonly remove: readonly Hit[];
  readonly supersede: readonly Hit[];
  /** What makes the new one needless. */
  readonly skippedFor: Hit | undefined;
}

async function carryOut(
  { id, cycle }: Round,
  { remove, supersede, skippedFor }: Decision,
): Promise<EntryId[]> {
  const gone = skippedFor === undefined ? [...remove, ...supersede].map((hit) => hit.id) : [id];
  if (gone.length === 0) return [];
  await cycle.delete(gone, { hard: remove.length > 0, supersededBy: skippedFor?.id ?? id });
  return gone;
}

function chainOf({ detectors, similarity_threshold, require_attribute_key, min_confidence }: Options) {
  return { detectors, similarity_threshold, require_attribute_key, min_confidence };
}

function statementOf({
  content,
  metadata,
  happenedAt,
}: Pick<NewEntry, "content" | "metadata" | "happenedAt">) {
  const speaker = typeof metadata?.speaker === "string" ? metadata.speaker : undefined;
  // Who speaks is told apart from what is said, or "I" in "Ada: I moved" would be nobody.
  const said = speaker !== undefined && content.startsWith(`${speaker}: `);
  return { text: said ? content.slice(speaker.length + 2) : content, speaker, happenedAt };
}

const FIRST_PERSON = /\b(?:I|me|my|mine|myself|we|our|ours|ourselves)\b|我|咱|本人/iu;
/** In capitals it is a country. */
const US = /\b[Uu]s\b/u;

/** Two people, each of whom may be "I": the same words then say different things. */
function areOfThemselves(fresh: Statement, known: Statement): boolean {
  if (fresh.speaker === undefined || known.speaker === undefined || fresh.speaker === known.speaker)
    return false;
  return [fresh, known].some(({ text }) => FIRST_PERSON.test(text) || US.test(text));
}

function hitOf({ hit }: Candidate): Hit {
  return hit;
}

/** What the new one repeats, if it repeats one; else what it surest clashes with. */
function surest(conflicts: readonly ConflictFinding<Candidate>[]): ConflictFinding<Candidate> | undefined {
  const repeated = conflicts.filter(({ verdict }) => verdict.kind === "duplicate");
  const among = repeated.length > 0 ? repeated : conflicts;
  return among.toSorted((a, b) => b.verdict.confidence - a.verdict.confidence)[0];
}

function noteOf({ id }: Round, done: string, conflicts: readonly ConflictFinding<Candidate>[]): JsonObject {
  return {
    entry: id,
    done,
    with: conflicts.map(({ candidate, verdict, detector }) => ({
      entry: candidate.hit.id,
      kind: verdict.kind,
      confidence: verdict.confidence,
      evidence: verdict.evidence,
      detector,
    })),
  };
}
