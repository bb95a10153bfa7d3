import type { Edge } from "../base/edge.ts";
import type { EntryId } from "../base/ids.ts";
import type { JsonObject } from "../base/json.ts";
import type { Random } from "../base/random.ts";
import { ITEM_COUNT } from "../testing/index-cases.ts";
import { testIndex } from "../testing/index-suite.ts";
import { sampleId, sampleOf, sampleScope } from "../testing/sample.ts";
import { graphIndex } from "./graph.ts";

const deps = { tokenize: () => [], tokenizerId: "none", fetchVectors: () => [] };

testIndex({
  name: "graph",
  create: () => graphIndex.create({}, deps),
  item: (n, random) => ({
    id: sampleId(n),
    scope: sampleScope(random),
    position: n,
    edges: Array.from({ length: Math.floor(random.next() * 6) }, () => arbitraryEdge(sampleId(n), random)),
  }),
  query: (random) => ({ params: arbitraryParams(random) }),
});

function arbitraryEdge(from: EntryId, random: Random): Edge {
  return {
    from,
    to: sampleId(Math.floor(random.next() * ITEM_COUNT)),
    type: sampleOf(["relation", "synonym", "temporal"], random),
    weight: 0.1 + random.next(),
    directed: random.next() < 0.7,
    scope: sampleScope(random),
    provenance: "",
    createdAt: 0,
  };
}

function arbitraryParams(random: Random): JsonObject {
  const direction = sampleOf(["out", "in", "both"], random);
  const ids = Array.from({ length: 4 }, () => sampleId(Math.floor(random.next() * ITEM_COUNT)));
  const seeds = Object.fromEntries(ids.map((id) => [id, 0.5 + random.next()]));
  return sampleOf<JsonObject>(
    [
      { mode: "neighbors", from: ids, hops: 2, direction },
      { mode: "ppr", seeds, direction, types: ["relation", "synonym"] },
      { mode: "ppr", seeds, direction },
      { mode: "spread", seeds, direction },
      { mode: "spread", seeds, direction, combine: "sum", hops: 3 },
    ],
    random,
  );
}
