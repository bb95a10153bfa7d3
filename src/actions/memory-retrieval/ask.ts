/** The searches of a question: which there are, and whether they wait for each other. */

import type { Hit } from "../../base/hit.ts";
import type { Vector } from "../../base/vector.ts";
import { mapLimited } from "../../models/map-limited.ts";
import type { MemoryRetrievalContext } from "../../pipeline/action.ts";
import type { FoundList, Question, SubQuery } from "../../pipeline/question.ts";
import { searchesOf } from "../../pipeline/searches.ts";
import { distinctTexts } from "../../tasks/reply-forms.ts";
import { findEntities } from "../../text/entities.ts";
import { fieldOf, searchStore } from "./search-store.ts";

export interface Asking extends Pick<MemoryRetrievalContext, "store" | "embed"> {
  readonly question: Question;
  readonly topK: number | undefined;
  /** Queries that are asked at once at most; unsaid: all. */
  readonly atOnce?: number | undefined;
}

export async function askAtOnce(asking: Asking): Promise<FoundList[]> {
  const { queries } = asking.question;
  const most = asking.atOnce ?? queries.length;
  return (await mapLimited(queries, most, (query) => askAlong(query, asking))).flat();
}

export async function askInTurn(asking: Asking): Promise<FoundList[]> {
  const lists: FoundList[] = [];
  let told: readonly string[] = [];
  for (const query of asking.question.queries) {
    const found = await askAlong(await withNames(query, told, asking), asking);
    lists.push(...found);
    told = distinctTexts([...told, ...(await namesIn(found))]);
  }
  return lists;
}

/** One query along all its ways, at once. */
function askAlong(query: SubQuery, { question, store, topK }: Asking): Promise<FoundList[]> {
  return Promise.all(
    searchesOf(query, question).map((search) => searchStore(search, store, query.topK ?? topK)),
  );
}

/** The names in the best hit of each list. */
async function namesIn(lists: readonly FoundList[]): Promise<string[]> {
  const best = lists.flatMap(({ hits }) => hits.slice(0, 1));
  const names = await Promise.all(
    best.map(({ text, metadata }) => findEntities(text, { persons: personsOf(metadata) })),
  );
  return names.flat().map((entity) => entity.text);
}

function personsOf({ persons }: Hit["metadata"]): string[] {
  return Array.isArray(persons) ? persons.filter((name) => typeof name === "string") : [];
}

/** The query with names that it does not say itself; embedded anew in the spaces it was embedded in. */
async function withNames(query: SubQuery, names: readonly string[], { embed }: Asking): Promise<SubQuery> {
  const said = query.text.toLowerCase();
  const added = names.filter((name) => !said.includes(name.toLowerCase()));
  if (added.length === 0) return query;
  const longer = (text: string): string => [text, ...added].join(" ");
  const embedText = longer(query.embedText ?? query.text);
  const fields = new Set(query.vectors.filter(isEmbedded).map(({ space }) => fieldOf(space)));
  const made = await Promise.all([...fields].map((field) => embed(embedText, field)));
  const vectors = query.vectors.map(
    (old): Vector => made.flat().find(({ space }) => space === old.space) ?? old,
  );
  return { ...query, text: longer(query.text), embedText, vectors };
}

/** A measure is no embedding, and more words do not change it. */
function isEmbedded({ space }: Vector): boolean {
  return !space.startsWith("#");
}
