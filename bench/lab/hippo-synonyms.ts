/**
 * Are names that are alike joined, and no others? A sample of the phrases of HippoRAG's graph is compared with all of them,
 * vector by vector, and the synonyms in the store must be those that the paper's rule gives: cosine 0.8 and more, of names
 * with more than two letters or digits. Nothing here is shared with what is measured but the embedder.
 */
import type { EntryId } from "../../src/base/ids.ts";
import { seededRandom } from "../../src/base/random.ts";
import type { Scope } from "../../src/base/scope.ts";
import type { EmbedderSet } from "../../src/models/local/embedder-set.ts";
import type { Storage } from "../../src/storage/storage.ts";

export interface SynonymCheck {
  /** Names of the sample that have no more than the paper's 100 that are alike, and how many of them have any. */
  readonly checked: number;
  readonly withAny: number;
  /** Synonyms that the rule gives those names, and of these, those that the store lacks; and those it has beyond. */
  readonly expected: number;
  readonly missing: number;
  readonly beyond: number;
}

const SAMPLE = 300;
const THRESHOLD = 0.8;
const MOST = 100;
/** Two cosines of one pair, added up in different orders, differ by less. */
const TOLERANCE = 1e-5;
const PAGE = 1000;

interface Phrase {
  readonly id: EntryId;
  readonly unit: Float32Array;
}

export async function checkSynonyms(
  storage: Storage,
  scope: Scope,
  collection: string,
  embedder: EmbedderSet,
): Promise<SynonymCheck> {
  const phrases = await phrasesOf(storage, scope, collection, embedder);
  const random = seededRandom(1);
  const sample = Array.from({ length: SAMPLE }, () => phrases[Math.floor(random.next() * phrases.length)]);
  const counted = { checked: 0, withAny: 0, expected: 0, missing: 0, beyond: 0 };
  for (const phrase of new Set(sample.filter((one) => one !== undefined))) {
    const alike = new Map<EntryId, number>();
    for (const { id, unit } of phrases) {
      const cosine = dot(phrase.unit, unit);
      if (id !== phrase.id && cosine >= THRESHOLD - TOLERANCE) alike.set(id, cosine);
    }
    if (alike.size > MOST) continue;
    const edges = await storage.edges(scope, collection, [phrase.id]);
    const stored = new Set(
      edges.filter(({ type }) => type === "synonym").map(({ from, to }) => (from === phrase.id ? to : from)),
    );
    const sure = [...alike].filter(([, cosine]) => cosine >= THRESHOLD + TOLERANCE);
    counted.checked++;
    counted.withAny += Number(sure.length > 0);
    counted.expected += sure.length;
    counted.missing += sure.filter(([id]) => !stored.has(id)).length;
    counted.beyond += [...stored].filter((id) => !alike.has(id)).length;
  }
  return counted;
}

/** Names as they were first written, with their vectors made anew. */
async function phrasesOf(
  storage: Storage,
  scope: Scope,
  collection: string,
  embedder: EmbedderSet,
): Promise<Phrase[]> {
  const out: Phrase[] = [];
  for (let after: EntryId | undefined; ; ) {
    const page = await storage.scan(scope, { collection, limit: PAGE, after, own: true });
    const named = page.filter(
      ({ kind, content }) => kind === "entity" && (content.match(/[\p{L}\p{N}]/gu) ?? []).length > 2,
    );
    const vectors = await embedder.embedDocuments(named.map(({ content }) => content));
    for (const [place, { id }] of named.entries()) {
      const values = vectors[place]?.values;
      if (values === undefined) continue;
      const length = Math.sqrt(dot(values, values));
      out.push({ id, unit: values.map((value) => value / length) });
    }
    after = page.at(-1)?.id;
    if (page.length < PAGE) return out;
  }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] as number) * (b[i] as number);
  return sum;
}
