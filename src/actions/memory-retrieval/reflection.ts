/**
 * Is that enough to answer? SimpleMem's reflection on retrieval (S2-30, C-14): check whether the hits are complete, and if
 * not, search for what is missing and add it, for a few rounds. Hits keep the order in which they were first seen.
 */
import { z } from "zod";
import type { ActionContext, Claims } from "../../pipeline/action.ts";
import type { FoundHit, Question } from "../../pipeline/question.ts";
import { checkCompleteness } from "../../tasks/check-completeness.ts";
import type { MemoryText } from "../../tasks/dialogue.ts";
import { missingQueries } from "../../tasks/missing-queries.ts";
import type { InformationPlan } from "../../tasks/plan-information.ts";

export const reflectionOptions = {
  max_rounds: z
    .int()
    .min(0)
    .max(10)
    .describe("How often it is checked and searched again at most; 0: only for a question that asks for it."),
  max_queries: z.int().min(1).describe("How many searches a round makes at most."),
  completeness_prompt: z.string().min(1).describe('The prompt for the task "check_completeness".'),
  missing_prompt: z.string().min(1).describe('The prompt for the task "missing_queries".'),
};

export interface ReflectionOptions {
  readonly max_rounds: number;
  readonly max_queries: number;
  readonly completeness_prompt: string;
  readonly missing_prompt: string;
}

export function reflectionPrompts({
  completeness_prompt,
  missing_prompt,
}: ReflectionOptions): NonNullable<Claims["prompts"]> {
  return [
    { task: checkCompleteness, prompt: completeness_prompt },
    { task: missingQueries, prompt: missing_prompt },
  ];
}

/** `search`: all hits of the queries, list after list. */
export async function reflectOn(
  question: Question,
  found: readonly FoundHit[],
  context: Pick<ActionContext, "think" | "note">,
  options: ReflectionOptions,
  search: (queries: readonly string[]) => Promise<readonly FoundHit[]>,
): Promise<readonly FoundHit[]> {
  let hits = found;
  const rounds: { assessment: string; coverage: number; queries: string[]; added: number }[] = [];
  const most = question.rounds ?? options.max_rounds;
  for (let round = 0; round < most; round++) {
    const { assessment, coverage, queries } = await check(question, hits, context, options);
    const known = hits.length;
    if (queries.length > 0) hits = withNew(hits, await search(queries));
    const added = hits.length - known;
    rounds.push({ assessment, coverage, queries, added });
    // Asked the same about the same, the answer would be the same.
    if (added === 0) break;
  }
  context.note("rounds", rounds);
  return hits;
}

async function check(
  question: Question,
  hits: readonly FoundHit[],
  { think }: Pick<ActionContext, "think">,
  { max_queries, completeness_prompt, missing_prompt }: ReflectionOptions,
) {
  const given = { question: question.text, memories: hits.map(toMemory) };
  const plan = planOf(question);
  const checked = await think(
    checkCompleteness,
    plan === undefined ? given : { ...given, plan },
    completeness_prompt,
  );
  const { assessment, coverage_percentage: coverage, missing_info_types: missing } = checked;
  if (assessment === "complete") return { assessment, coverage, queries: [] };
  const asked = await think(missingQueries, { ...given, missing, limit: max_queries }, missing_prompt);
  return { assessment, coverage, queries: asked.targeted_queries };
}

function withNew(hits: readonly FoundHit[], more: readonly FoundHit[]): readonly FoundHit[] {
  const known = new Set(hits.map(({ id }) => id));
  return [...hits, ...more.filter(({ id }) => known.size < known.add(id).size)];
}

/** What a plan before the search wanted to know is held against what was found. */
function planOf({ wanted, entities }: Question): InformationPlan | undefined {
  if (wanted.length === 0) return undefined;
  return {
    question_type: "information",
    key_entities: [...entities],
    required_info: wanted.map((piece) => ({ info_type: piece, description: piece, priority: "high" })),
    relationships: [],
    minimal_queries_needed: Math.min(10, wanted.length),
  };
}

const known = z.object({
  location: z.string().optional().catch(undefined),
  topic: z.string().optional().catch(undefined),
  persons: z.array(z.string()).catch([]),
  entities: z.array(z.string()).catch([]),
});

function toMemory({ text, happenedAt, metadata }: FoundHit): MemoryText {
  return { text, happenedAt, ...known.parse(metadata) };
}
