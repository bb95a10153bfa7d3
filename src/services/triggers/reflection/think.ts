/**
 * From what is new to insights (Generative Agents): which questions does it raise, what is known about each, and what
 * follows from that? Every insight names its evidence, and lies one level deeper than the deepest of it.
 */
import type { Entry } from "../../../base/entry.ts";
import { where } from "../../../base/filter.ts";
import { rankByThreeReasons, type ThreeReasons } from "../../../policies/three-reasons.ts";
import { reflectInsights } from "../../../tasks/reflect-insights.ts";
import { reflectQuestions } from "../../../tasks/reflect-questions.ts";
import { runTask } from "../../../tasks/run-task.ts";
import { thinkingOf } from "../derived.ts";
import type { TriggerContext } from "../trigger.ts";
import { isAbout, type Subject } from "./subject.ts";

export interface Thinking {
  readonly question_prompt: string;
  readonly prompt: string;
  readonly about: Subject;
  readonly question_count: number;
  readonly recent_count: number;
  readonly evidence_count: number;
  readonly evidence_by: ThreeReasons | null;
  readonly max_reflections: number;
  readonly reflection_depth: number | null;
}

export interface Insight {
  readonly content: string;
  readonly question: string;
  readonly evidence: readonly Entry[];
  readonly depth: number;
}

/** `known`: texts that are insights already. */
export async function think(
  context: TriggerContext,
  fresh: readonly Entry[],
  options: Thinking,
  known: ReadonlySet<string>,
): Promise<Insight[]> {
  const recent = fresh.slice(-options.recent_count);
  const { reply } = await runTask(
    { ...reflectQuestions, prompt: options.question_prompt },
    { statements: recent.map(({ content }) => content), count: options.question_count },
    thinkingOf(context),
  );
  const insights: Insight[] = [];
  const told = new Set(known);
  // Every question has its share of what may be said (Generative Agents: 5 of 15).
  const share = Math.ceil(options.max_reflections / Math.max(1, reply.questions.length));
  for (const question of reply.questions) {
    const count = Math.min(share, options.max_reflections - insights.length);
    if (count < 1) break;
    const evidence = await evidenceFor(context, question, recent, options);
    for (const insight of await insightsFrom(context, evidence, {
      question,
      count,
      prompt: options.prompt,
    })) {
      if (told.has(insight.content)) continue;
      told.add(insight.content);
      insights.push(insight);
    }
  }
  return insights;
}

async function insightsFrom(
  context: TriggerContext,
  statements: readonly Entry[],
  asked: { readonly question: string; readonly count: number; readonly prompt: string },
): Promise<Insight[]> {
  if (statements.length === 0) return [];
  const { question, count, prompt } = asked;
  const input = { statements: statements.map(({ content }) => content), question, count };
  const { reply } = await runTask({ ...reflectInsights, prompt }, input, thinkingOf(context));
  return reply.insights.map(({ insight: content, evidence: numbers }) => {
    const evidence = numbers.flatMap((number) => statements[number] ?? []);
    return { content, question, evidence, depth: 1 + Math.max(0, ...evidence.map(depthOf)) };
  });
}

/** What the scope knows about a question, best first; what is new, where nothing is found. */
async function evidenceFor(
  context: TriggerContext,
  question: string,
  recent: readonly Entry[],
  { about, evidence_count, evidence_by, reflection_depth }: Thinking,
): Promise<readonly Entry[]> {
  const vectors = (await context.deps.embedder?.embedQuery(question, { scope: context.scope })) ?? [];
  if (vectors.length === 0 && context.traits.needsQueryVector) return recent.slice(-evidence_count);
  // Rules can only quote, and a quotation of quotations says nothing more.
  const depth = context.deps.thinking.model === undefined ? 1 : reflection_depth;
  const filter = depth === null ? undefined : where.not(where.range("metadata.depth", { gte: depth }));
  const topK = Math.max(evidence_count, evidence_by?.candidates ?? 0);
  const hits = await context.retrieve({ text: question, vectors, filter, topK });
  const bearing = hits.filter((hit) => isAbout(about, hit));
  // The clock of the talk: it may be stored long after it was said.
  const at = Math.max(...recent.map(({ happenedAt }) => happenedAt));
  const ranked = evidence_by === null ? bearing : rankByThreeReasons(bearing, at, evidence_by);
  const found = ranked.slice(0, evidence_count);
  return found.length > 0 ? found : recent.slice(-evidence_count);
}

/** What was observed lies at 0. */
function depthOf({ metadata }: Entry): number {
  return typeof metadata.depth === "number" ? metadata.depth : 0;
}
