/** What `defaults: recommended` fills in, and that every action, sub-type and policy loads with nothing else written. */
import { describe, expect, test } from "vitest";
import { ACTIONS } from "../actions/index.ts";
import type { ActionDefinition } from "../pipeline/action.ts";
import { STAGES } from "../pipeline/stage.ts";
import { VITALITY } from "../policies/vitality/index.ts";
import { SERVICES } from "../services/index.ts";
import { parsePreset } from "./load.ts";
import { variantsOf } from "./option-table.ts";

const read = (rest: string) =>
  parsePreset(`name: x\nsummary: Y.\ndefaults: recommended\n${rest}\n`, "x.yaml");

/** Refusals that say that a service does not fit the action, not that something is wrong with what is written. */
const MISFIT =
  /needs the|sends the hint|settles what|finds by vectors|needs vectors|needs a reranker|looks by meaning|no action of pre_insert fills|of the turns before a window|makes no vector|vector of the question/;

/** What works only together with something else that is written: a reranker, a window, another action, another option of the service. */
const NEED_MORE = [
  "pre_insert { action: blend_embed",
  "memory_retrieval { action: emotional",
  "memory_retrieval { action: recognition",
  "post_retrieval { action: rerank, rerank_type: cross_encoder",
  "pre_retrieval { action: multi_embed",
  "pre_retrieval { action: plan",
  "pre_retrieval { action: optimize, optimize_type: instruction",
  "post_insert { action: status_based",
];

const cases = STAGES.filter((stage) => stage !== "memory_insert").flatMap((stage) => {
  const actions: readonly ActionDefinition[] = ACTIONS[stage];
  return actions.flatMap(({ name, options, subtype }) =>
    variantsOf(options, subtype).map((variant) => {
      const chosen = variant.subtype === null ? "" : `, ${subtype}: ${variant.subtype}`;
      return { stage, written: `{ action: ${name}${chosen} }` };
    }),
  );
});

describe("with recommended values", () => {
  test.each(cases)(
    "$stage $written loads on some service, and is refused by others for its needs alone",
    async ({ stage, written }) => {
      const outcomes = await Promise.allSettled(
        Object.keys(SERVICES).map((service) =>
          read(`service: { name: ${service} }\nstages: { ${stage}: ${written} }`),
        ),
      );
      for (const outcome of outcomes) {
        if (outcome.status === "rejected") expect(String(outcome.reason)).toMatch(MISFIT);
      }
      const needsMore = NEED_MORE.some((one) => `${stage} ${written}`.includes(one));
      expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(!needsMore);
    },
  );

  test.each(Object.keys(VITALITY))("[S0-93] the policy %s is enough by its name", async (policy) => {
    const preset = await read(`service: { name: neuromem_vdb, vitality: { policy: ${policy} } }`);
    expect(preset.service.options.vitality).toMatchObject({ policy });
    const sweep = await read(
      `service: { name: neuromem_vdb }\nstages: { post_insert: { action: forgetting, decay_type: ${policy} } }`,
    );
    expect(sweep.stages.post_insert[0]?.options.vitality).toMatchObject({ policy });
  });

  test("[S0-93] the seed's decay_type heat is MemoryOS's", async () => {
    const sweep = await read(
      "service: { name: neuromem_vdb }\nstages: { post_insert: { action: forgetting, decay_type: heat } }",
    );
    expect(sweep.stages.post_insert[0]?.options.vitality).toMatchObject({ policy: "memoryos_heat" });
  });

  test("only what the written form has a place for is filled in", async () => {
    const seed = "vitality: { policy: memoryos_heat, form: seed, decay_per_hour: 0.05 }";
    const preset = await read(`service: { name: neuromem_vdb, ${seed} }`);
    expect(preset.service.options.vitality).toEqual({
      policy: "memoryos_heat",
      form: "seed",
      decay_per_hour: 0.05,
    });
  });

  test("objects of options are filled key by key; maps are written whole", async () => {
    const preset = await read(
      "service: { name: graph_memory, ppr: { damping: 0.8 } }\ninput: { unit: packet }\nmodels: { reranker: null }",
    );
    expect(preset.service.options.ppr).toMatchObject({ damping: 0.8, epsilon: expect.any(Number) });
    expect(preset.input).toMatchObject({ unit: "packet", with_speaker: true });
    expect(preset.models.embedder).toBe("built_in");
    const tiers = await read(`service: { name: hierarchical_memory }
stages: { post_retrieval: { action: merge, merge_strategy: multi_tier, quotas: { stm: 2 } } }`);
    expect(tiers.stages.post_retrieval[0]?.options.quotas).toEqual({ stm: 2 });
  });
});

test("the preset hybrid fuses by reciprocal rank, as its header says", async () => {
  const { loadPreset } = await import("./load.ts");
  expect((await loadPreset("hybrid")).service.options).toMatchObject({ fusion_strategy: "rrf", rrf_k: 60 });
});
