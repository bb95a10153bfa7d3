/**
 * A general vector database (S0-3): entries found by nearness of meaning, by words where the question has no vector, or by
 * a filter alone. The plainest service, and the one that Generative Agents, SeCom, EmotionalRAG and LoCoMo are built on.
 */
import { z } from "zod";
import type { NewItem } from "../collection/insert.ts";
import { BaseService, commonOptions, type Placement } from "./base-service.ts";
import { lexical, TEXT_INDEX } from "./search/lexical.ts";
import { strategiesOf } from "./search/search.ts";
import { semantic } from "./search/semantic.ts";
import { structured } from "./search/structured.ts";
import { defineService, type ServiceTraits } from "./service.ts";
import { vectorIndexes } from "./vector-fields.ts";

const options = z.strictObject(commonOptions);

const SEARCHES = { semantic, lexical, structured };

const TRAITS: ServiceTraits = {
  abilities: ["vector", "text"],
  triggers: ["reflection", "forgetting", "summarize"],
  strategies: strategiesOf(SEARCHES),
  tiers: [],
  pending: [],
  needsQueryVector: false,
};

const NAME = "neuromem_vdb";

export const neuromemVdb = defineService({
  name: NAME,
  summary: "A vector database: entries are found by nearness of meaning, or by a filter alone.",
  options,
  traits: () => TRAITS,
  async open(given, deps) {
    const store = await deps.manager.open({
      name: given.collection_name,
      profile: "hybrid",
      indexes: [...vectorIndexes(deps.fields), { name: TEXT_INDEX, kind: "text_bm25" }],
    });
    return new NeuromemVdb({ name: NAME, traits: TRAITS, options: given }, store, deps);
  },
});

export class NeuromemVdb extends BaseService {
  protected readonly searches = SEARCHES;
  protected readonly placements = ["targetIndexes"] as const;

  protected place(_scope: unknown, { entry, params }: Placement): NewItem {
    return params.targetIndexes === undefined ? entry : { ...entry, indexes: params.targetIndexes };
  }
}
