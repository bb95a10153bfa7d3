/** The part of the service suite that is about what it is handed: every word is understood or refused with a code. */
import { expect, test } from "vitest";
import { HINT_NAMES, STRATEGIES } from "../services/hints.ts";
import {
  type InsertParams,
  type OptimizeRequest,
  type ServiceTraits,
  TRIGGERS,
} from "../services/service.ts";
import { untyped } from "./collection-world.ts";
import { ALICE, noteOf, type ServiceWorld, strategiesIn } from "./service-world.ts";

export function inputLaws(get: () => ServiceWorld, traits: ServiceTraits): void {
  const active = (insertParams: InsertParams) =>
    get().remember(ALICE, 0, { insertMode: "active", insertParams });

  test("[S0-15][C-5] an insert param is used or refused, and in a passive insert only the priority is used", async () => {
    const world = get();
    await world.refuses("input_invalid", active(untyped({ no_such_param: 1 })));
    await world.refuses("input_invalid", active({ priority: 2 }));
    await world.refuses("input_invalid", world.remember(ALICE, 0, { insertMode: untyped("forced") }));
    const canKey = traits.abilities.includes("keys");
    await (canKey ? active({ key: "a key" }) : world.refuses("capability_missing", active({ key: "a key" })));
    if (traits.tiers.length === 0)
      await world.refuses("capability_missing", active({ targetTier: "anywhere" }));
    else await expect(active({ targetTier: "no such tier" })).rejects.toThrow(/Valid: /);
    for (const [name, given] of Object.entries({ key: "k", targetTier: "t", targetIndexes: [] })) {
      const code = expect.stringMatching(/^(input_invalid|capability_missing)$/);
      await expect(world.remember(ALICE, 0, { insertParams: { [name]: given } }), name).rejects.toMatchObject(
        {
          code,
        },
      );
    }
    expect((await world.everything(ALICE)).size).toBe(canKey ? 1 : 0);
  });

  test("[C-5][B.0.9-1] a word that a request does not have is refused, not ignored", async () => {
    const world = get();
    const { service } = world;
    const question = { text: noteOf(0), vectors: world.vectorsOf(0) };
    const before = await world.state(ALICE);
    const words = { top_k: 1, filters: null, hint: {}, indexes: ["text"], work: [], supersededBy: null };
    for (const [name, value] of Object.entries(words)) {
      const more = { [name]: value };
      await world.refuses("input_invalid", service.retrieve(ALICE, untyped({ ...question, ...more })));
      await world.refuses("input_invalid", world.remember(ALICE, 0, untyped(more)));
      for (const trigger of traits.triggers) {
        const request = untyped<OptimizeRequest>({ trigger, config: {}, ...more });
        await world.refuses("input_invalid", service.optimize(ALICE, request));
      }
    }
    for (const trigger of traits.triggers) {
      const request = untyped<OptimizeRequest>({ trigger, config: {}, entries: ["no id"] });
      await world.refuses("input_invalid", service.optimize(ALICE, request));
    }
    for (const topK of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "1"]) {
      for (const strategy of strategiesIn(traits.strategies)) {
        const asked = { ...world.questionFor(0, strategy), topK: untyped<number>(topK) };
        await world.refuses("input_invalid", service.retrieve(ALICE, asked));
      }
    }
    expect(await world.state(ALICE)).toEqual(before);
  });

  test("[C-6] nobody can insert into the archive, or into a tier that is not there", async () => {
    const world = get();
    const code = traits.tiers.length === 0 ? "capability_missing" : "input_invalid";
    for (const tier of ["archived", "no such tier"])
      await world.refuses(code, world.remember(ALICE, 0, { tier }));
    expect((await world.everything(ALICE)).size).toBe(0);
  });

  test("[S0-15] the priority becomes the importance, unless the entry has one", async () => {
    const world = get();
    const judged = await world.remember(ALICE, 0, { insertParams: { priority: 0.9 } });
    const kept = await world.remember(ALICE, 1, { importance: 0.2, insertParams: { priority: 0.9 } });
    const all = await world.everything(ALICE);
    expect([judged, kept].map((id) => all.get(id)?.importance)).toEqual([0.9, 0.2]);
  });

  test("[B.0.9-1] a hint, a strategy or a field that is not understood is refused", async () => {
    const world = get();
    const retrieve = (hints: unknown) =>
      world.service.retrieve(ALICE, {
        text: noteOf(0),
        vectors: world.vectorsOf(0),
        hints: untyped(hints),
      });
    await world.refuses("input_invalid", retrieve({ no_such_hint: 1 }));
    await world.refuses("input_invalid", retrieve({ strategy: "no such strategy" }));
    const offered = STRATEGIES.filter((name) => traits.strategies[name] !== undefined);
    for (const strategy of STRATEGIES) {
      if (!offered.includes(strategy)) await world.refuses("capability_missing", retrieve({ strategy }));
    }
    const samples: Readonly<Record<string, unknown>> = {
      tiers: ["a"],
      indexes: ["a"],
      fields: ["a"],
      weights: { a: 1 },
      keywords: ["a"],
      entities: ["a"],
      seeds: {},
      facts: {},
      edge_types: ["a"],
      depth: 1,
      time_range: {},
      max_hamming: 1,
      key: "a",
    };
    for (const strategy of offered) {
      const ignored = HINT_NAMES.filter(
        (name) => name !== "strategy" && !traits.strategies[strategy]?.includes(name),
      );
      for (const name of ignored)
        await world.refuses("capability_missing", retrieve({ strategy, [name]: samples[name] }));
    }
  });

  test("[B.0.6] a question that holds nothing to look for is refused where something is needed", async () => {
    const { service } = get();
    if (traits.needsQueryVector) {
      await expect(service.retrieve(ALICE, { text: noteOf(0) })).rejects.toMatchObject({
        code: "input_invalid",
        message: expect.stringContaining("vector"),
      });
    }
    const stranger = { space: "another-embedder", values: Float32Array.of(1, 0) };
    if (traits.strategies.semantic !== undefined) {
      await expect(
        service.retrieve(ALICE, { vectors: [stranger], hints: { strategy: "semantic" } }),
      ).rejects.toMatchObject({ code: "embedder_mismatch" });
    }
  });

  test("[S0-18][B.0.9-15] a trigger without a use here, or a config with a word too many, is refused", async () => {
    const world = get();
    for (const trigger of [...TRIGGERS, untyped<"migrate">("no such trigger")]) {
      if (traits.triggers.includes(trigger)) continue;
      await world.refuses("capability_missing", world.service.optimize(ALICE, { trigger, config: {} }));
    }
  });
}
