/**
 * Which families of index a collection may hold (S0-43). There is one Collection class; the seed's five collection types
 * are these rows, and a sixth is a call of `register`.
 */
import type { IndexFamily } from "../indexes/index-contract.ts";

export interface Profile {
  readonly name: string;
  readonly families: readonly IndexFamily[];
}

export const PROFILES: readonly Profile[] = [
  { name: "vdb", families: ["vector"] },
  { name: "kv", families: ["text"] },
  { name: "graph", families: ["graph", "vector"] },
  { name: "hybrid", families: ["vector", "text", "graph"] },
  { name: "hierarchical", families: ["vector", "text", "graph"] },
];
