/**
 * Which of the facts that came to mind bear on the question? The recognition memory of HippoRAG 2 (Gutiérrez et al., 2025):
 * the facts nearest to the question are held against it, and hits whose facts survive come first. Where none does, the hits
 * stay as they were: that is nearness alone, as in the paper. A walk over the graph after it begins at what survived. The
 * paper's nearness of a fact is by its vector; nothing is embedded in this stage (S0-39), so here it is by words.
 */
import { z } from "zod";
import { minMax } from "../../math/min-max.ts";
import { defineAction } from "../../pipeline/action.ts";
import type { FoundHit } from "../../pipeline/question.ts";
import { filterFacts } from "../../tasks/filter-facts.ts";
import { rankByRelevance } from "../../tasks/local/relevance.ts";
import { bestFirst, rescored } from "./found-hits.ts";

const options = z.strictObject({
  max_facts: z
    .int()
    .min(1)
    .describe("How many facts are held against the question, those with most of its words first."),
  passage_weight: z
    .number()
    .min(0)
    .describe("What the nearness of a memory counts beside the part of the surviving facts that it holds."),
  filter_prompt: z.string().min(1).describe('The prompt for the task "filter_facts".'),
});

const tripleSchema = z.object({ subject: z.string(), relation: z.string(), object: z.string() });
type Triple = z.infer<typeof tripleSchema>;
const triplesSchema = z.array(tripleSchema).catch([]);

export const factFilter = defineAction({
  stage: "post_retrieval",
  name: "fact_filter",
  summary: "Puts hits first whose facts bear on the question (HippoRAG 2).",
  options,
  claims: ({ filter_prompt: prompt }) => ({ prompts: [{ task: filterFacts, prompt }] }),
  async run(found, { think, note }, { max_facts, passage_weight, filter_prompt }) {
    const { hits, question } = found;
    const facts = nearest(factsOf(hits), question.text, max_facts);
    const { keep } = await think(filterFacts, { question: question.text, facts }, filter_prompt);
    const kept = new Set(facts.filter((_, place) => keep.includes(place)).map(keyOf));
    note("facts", { shown: facts.length, kept: kept.size });
    if (kept.size === 0) return found;
    const nearness = minMax(
      hits.map(({ score }) => score),
      1,
    );
    const ranked = hits.map((hit, place) => {
      const own = new Set(triplesOf(hit).map(keyOf));
      const held = [...own].filter((key) => kept.has(key)).length / kept.size;
      const passage = passage_weight * (nearness[place] ?? 0);
      return rescored(hit, held + passage, { facts: held, passage });
    });
    return { ...found, hits: bestFirst(ranked) };
  },
});

/** Of facts equally near, those of better hits. */
function nearest(facts: readonly Triple[], question: string, most: number): Triple[] {
  const sentences = facts.map(({ subject, relation, object }) => `${subject} ${relation} ${object}`);
  const ranked = rankByRelevance(question, sentences).slice(0, most);
  return ranked.flatMap(({ index }) => facts[index] ?? []);
}

/** Each once, as it is first written, in the order of the hits. */
function factsOf(hits: readonly FoundHit[]): Triple[] {
  const facts = new Map<string, Triple>();
  for (const triple of hits.flatMap(triplesOf)) {
    const key = keyOf(triple);
    if (!facts.has(key)) facts.set(key, triple);
  }
  return [...facts.values()];
}

function triplesOf({ metadata }: FoundHit): Triple[] {
  return triplesSchema.parse(metadata.triples);
}

function keyOf({ subject, relation, object }: Triple): string {
  return JSON.stringify(
    [subject, relation, object].map((part) => part.normalize("NFKC").trim().toLowerCase()),
  );
}
