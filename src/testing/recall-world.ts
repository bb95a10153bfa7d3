/**
 * A recall under test: a real service with memories whose place is given by hand (a direction between 0 and 90 degrees), a
 * question that lies at 0 degrees, and the actions of post_retrieval that the test names.
 */

import { z } from "zod";
import { defaultRetrieval } from "../actions/memory-retrieval/default.ts";
import type { EntryId } from "../base/ids.ts";
import { parseScope } from "../base/scope.ts";
import type { Vector } from "../base/vector.ts";
import { defineAction } from "../pipeline/action.ts";
import type { Question } from "../pipeline/question.ts";
import type { ServiceInsert } from "../services/service.ts";
import {
  type Chosen,
  chosen,
  openPipelineWorld,
  type PipelineSetup,
  type PipelineWorld,
} from "./pipeline-world.ts";

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

const SPACE = { space: "hand", dimension: 2 };
const ALICE = parseScope("alice");

export interface RecallSetup extends Partial<Omit<PipelineSetup, "stages" | "embedder">> {
  /** What actions before would have made of the question. */
  readonly question?: Partial<Question>;
  /** What runs before the search, behind the vectors. */
  readonly before?: readonly Chosen<"pre_retrieval">[];
  /** Without vectors, words decide. @default true */
  readonly vectors?: boolean;
}

export interface RecallWorld extends PipelineWorld {
  /** A memory of alice at so many degrees from the question. */
  add(content: string, degrees: number, more?: Partial<ServiceInsert>): Promise<EntryId>;
  readonly now: number;
}

export function direction(degrees: number): Vector {
  const angle = (degrees * Math.PI) / 180;
  return { space: SPACE.space, values: Float32Array.of(Math.cos(angle), Math.sin(angle)) };
}

export async function openRecallWorld(
  actions: readonly Chosen<"post_retrieval">[],
  { question = {}, before = [], vectors = true, fields = [], ...setup }: RecallSetup = {},
): Promise<RecallWorld> {
  const asked = defineAction({
    stage: "pre_retrieval",
    name: "by_hand",
    summary: "Gives the question what the test says.",
    options: z.strictObject({}),
    run: (given) => ({
      ...given,
      queries: given.queries.map((query) => ({ ...query, vectors: vectors ? [direction(0)] : [] })),
      ...question,
    }),
  });
  const world = await openPipelineWorld({
    service: {
      name: "neuromem_vdb",
      options: { collection_name: "memories", top_k: 10, vitality: null },
    },
    ...setup,
    embedder: undefined,
    fields: [{ name: "content", spaces: [SPACE] }, ...fields],
    stages: {
      pre_retrieval: [chosen(asked, {}), ...before],
      memory_retrieval: [chosen(defaultRetrieval, { top_k: null, fusion: { strategy: "union" } })],
      post_retrieval: actions,
    },
  });
  return {
    ...world,
    now: world.clock.now(),
    add: (content, degrees, more = {}) =>
      world.service.insert(ALICE, { content, vectors: [direction(degrees)], ...more }),
  };
}
