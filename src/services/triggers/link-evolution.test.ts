import { afterEach, describe, expect, test } from "vitest";
import type { EntryId } from "../../base/ids.ts";
import type { Json } from "../../base/json.ts";
import { gaussian, seededRandom } from "../../base/random.ts";
import { PUBLIC } from "../../base/scope.ts";
import type { NewItem } from "../../collection/insert.ts";
import { ALICE, BOB, GraphWorld, type GraphWorldOptions } from "../../testing/graph-world.ts";
import { asEntityVector, GRAPH_INDEX, NAMES_INDEX } from "../graph/entity.ts";
import { indexNameOf } from "../vector-fields.ts";

const worlds: GraphWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
const open = async (given: GraphWorldOptions = {}): Promise<GraphWorld> => {
  const world = await GraphWorld.open(given);
  worlds.push(world);
  return world;
};
const NOTES = { graph_type: "link_graph" } as const;
const EVOLVE_LINKS = {
  ...{ similarity_threshold: 0.7, decay_factor: 0.95, drop_below: 0.1, strengthen_factor: 0.2 },
  ...{ max_weight: 2, max_similar: 20, max_neighbours: 100 },
};
const only = async (world: GraphWorld, type: string, scope = ALICE) =>
  (await world.edges(scope)).filter((edge) => edge.includes(`-${type}->`));

/** Runs it, runs it again, and shows that the second run did nothing. */
async function twice(
  world: GraphWorld,
  config: Parameters<GraphWorld["evolve"]>[0],
  entries?: readonly EntryId[],
) {
  const first = await world.evolve(config, entries);
  const after = [await world.all(), await world.edges()];
  world.clock.advance(60_000);
  const again = await world.evolve(config, entries);
  expect(again.edges).toBe(0);
  expect(again.reason).toMatch(/\S/);
  expect([await world.all(), await world.edges()]).toEqual(after);
  return first;
}

describe("[S0-93][B.0.2] synonym_edge", () => {
  const policy = {
    link_policy: "synonym_edge",
    knn_k: 10,
    threshold: 0.7,
    synonym_merge: "add",
    edge_weight: 1,
  };
  const alike = {
    "New York City": ["New York", 0.9],
    NYC: ["New York", 0.75],
    北京市: ["北京", 0.8],
    ab: ["New York", 0.95],
  } as const;
  const filled = async () => {
    const world = await open({ alike });
    await world.add("first", ["New York | is | big"]);
    await world.add("second", ["New York City | is | loud"]);
    await world.add("third", ["NYC | is | ab"]);
    await world.add("第四", ["北京市 | 在 | 北京"]);
    return world;
  };

  test("names alike are joined once, whatever the order; names too short are not", async () => {
    const world = await filled();
    expect(await twice(world, policy)).toMatchObject({ edges: 3 });
    expect(await only(world, "synonym")).toEqual(
      [
        "New York -synonym-> New York City (0.9)",
        "New York -synonym-> NYC (0.75)",
        "北京市 -synonym-> 北京 (0.8)",
      ].sort(),
    );
  });

  test("threshold, knn_k and edge_weight", async () => {
    const edges = async (change: object) => {
      const world = await filled();
      await world.evolve({ ...policy, ...change });
      return only(world, "synonym");
    };
    expect(await edges({ threshold: 0.85 })).toHaveLength(1);
    expect(await edges({ threshold: 0.6 })).toHaveLength(4);
    // NYC's only neighbour is New York, whose own is New York City: both lists count.
    expect(await edges({ threshold: 0.6, knn_k: 1 })).toHaveLength(3);
    expect(await edges({ edge_weight: 2 })).toContain("New York -synonym-> New York City (1.8)");
  });

  test("[B.0.9-5] given entries, what they speak of is joined to all that is there", async () => {
    const world = await filled();
    expect(await twice(world, policy, [(await world.the("third")).id])).toMatchObject({
      examined: 2,
      edges: 1,
    });
    expect(await only(world, "synonym")).toEqual(["New York -synonym-> NYC (0.75)"]);
  });

  test("a changed weight is written; edges that somebody else made stay", async () => {
    const world = await filled();
    const [a, b] = [await world.the("New York"), await world.the("New York City")];
    await world.store.link(ALICE, [{ from: b.id, to: a.id, type: "synonym", weight: 0.3, provenance: "me" }]);
    await world.evolve(policy);
    expect(await only(world, "synonym")).toContain("New York City -synonym-> New York (0.3)");
    expect(await world.evolve({ ...policy, edge_weight: 0.5 })).toMatchObject({ edges: 2 });
    expect(await only(world, "synonym")).toContain("New York -synonym-> NYC (0.375)");
  });

  test("what waited about a name is settled", async () => {
    const world = await open({ alike, options: { link_mode: "pending" } });
    await world.add("first", ["New York | is | big"]);
    await world.add("second", ["New York City | is | loud"]);
    expect((await world.service.getStatus(ALICE)).pendingAction).toBe("synonym");
    await world.evolve(policy);
    expect((await world.service.getStatus(ALICE)).count).toBe(0);
    expect(await only(world, "synonym")).toHaveLength(1);
  });

  test("a whole scope is joined to no more than knn_k of the names in sight, however many public ones are near", async () => {
    const world = await open();
    const insert = (scope: typeof ALICE, from: number, to: number) =>
      world.store.insertMany(
        scope,
        Array.from({ length: to - from }, (_, n) => nameItem(from + n)),
      );
    await insert(PUBLIC, 0, 240);
    await insert(ALICE, 0, 240);
    await world.evolve({ ...policy, knn_k: 1, threshold: 0.9 });
    expect((await only(world, "synonym")).length).toBeLessThanOrEqual(240);
  });

  test("[C-31] a private name is joined to a public one by an edge of its own; two private ones never", async () => {
    const world = await open({ alike });
    await world.add("all", ["New York | is | big"], {}, PUBLIC);
    await world.add("mine", ["New York City | is | loud"]);
    await world.add("hers", ["NYC | is | fun"], {}, BOB);
    await twice(world, { ...policy, threshold: 0.5 });
    expect(await only(world, "synonym")).toEqual(["New York -synonym-> New York City (0.9)"]);
    expect(await only(world, "synonym", PUBLIC)).toEqual([]);
    expect(await only(world, "synonym", BOB)).toEqual([]);
  });

  test("a whole scope of hundreds of names is joined to the same edges as one memory's names at a time", async () => {
    const edges = async (whole: boolean) => {
      const world = await open();
      const ids = await world.store.insertMany(
        ALICE,
        Array.from({ length: 240 }, (_, n) => nameItem(n)),
      );
      const sets = whole ? [ids] : [ids.slice(0, 120), ids.slice(120)];
      const memories: EntryId[] = [];
      for (const [n, set] of sets.entries()) {
        const memory = await world.add(`memory ${n}`);
        memories.push(memory);
        await world.store.link(
          ALICE,
          set.map((to) => ({ from: memory, to, type: "contains" })),
        );
      }
      const config = { ...policy, threshold: 0.9 };
      if (whole) await world.evolve(config);
      else for (const memory of memories) await world.evolve(config, [memory]);
      return only(world, "synonym");
    };
    const [byJoin, byIndex] = [await edges(true), await edges(false)];
    expect(byIndex.length).toBeGreaterThanOrEqual(100);
    expect(byJoin).toEqual(byIndex);
  });

  /** Every name is like the one 120 after it. */
  const nameItem = (n: number): NewItem => {
    const random = seededRandom(1 + (n % 120));
    const values = Float32Array.from(
      { length: 64 },
      (_, i) => gaussian(random) + (n < 120 ? 0 : 0.2 * Math.cos(n + i)),
    );
    const vector = asEntityVector({ space: "hand-made", values });
    const name = `name ${n}`;
    return {
      ...{ kind: "entity", content: name, tags: [name], metadata: { name }, vectors: [vector] },
      indexes: [NAMES_INDEX, GRAPH_INDEX, indexNameOf(vector.space)],
    };
  };
});

describe("[B.0.2] strengthen", () => {
  const policy = { link_policy: "strengthen", strengthen_factor: 0.1, decay_rate: 0.01, max_weight: 10 };
  const linked = async (weight = 1) => {
    const world = await open({ options: NOTES });
    const tea = await world.add("tea");
    const cup = await world.add("cup", [], { edges: [{ to: tea, type: "link", weight }] });
    const car = await world.add("car", [], { edges: [{ to: tea, type: "link", weight }] });
    const look = async (...contents: string[]) => {
      world.clock.advance(1000);
      await world.service.touch(ALICE, await Promise.all(contents.map((content) => world.the(content))));
    };
    return { world, look, ids: { tea, cup, car } };
  };

  test("links used together grow, those used at one end fade, and every look counts once", async () => {
    const { world, look } = await linked();
    expect(await world.evolve(policy)).toMatchObject({ edges: 0 });
    await look("tea", "cup");
    world.clock.advance(1000);
    await twice(world, policy);
    expect(await world.edges()).toEqual(["car -link-> tea (0.99)", "cup -link-> tea (1.1)"]);
    await look("tea", "cup");
    world.clock.advance(1000);
    await twice(world, policy);
    expect(await world.edges()).toEqual(["car -link-> tea (0.9801)", "cup -link-> tea (1.2)"]);
  });

  test("[S0-93] strengthen_factor, decay_rate, max_weight", async () => {
    const { world, look } = await linked();
    await look("tea", "cup");
    world.clock.advance(1000);
    await world.evolve({ ...policy, strengthen_factor: 5, decay_rate: 0.5, max_weight: 3 });
    expect(await world.edges()).toEqual(["car -link-> tea (0.5)", "cup -link-> tea (3)"]);
  });

  test("given entries, only links around them change; a new entry changes nothing by being new", async () => {
    const { world, look, ids } = await linked();
    const far = await world.add("far");
    await world.add("away", [], { edges: [{ to: far, type: "link" }] });
    await look("tea", "cup", "far", "away");
    world.clock.advance(1000);
    await twice(world, policy, [ids.cup]);
    expect(await world.edges()).toContain("away -link-> far (1)");
    expect(await world.edges()).toContain("cup -link-> tea (1.1)");
  });
});

describe("[B.0.2] activate", () => {
  const policy = { link_policy: "activate", depth: 2, decay: 0.5 };
  const chain = async () => {
    const world = await open({ options: NOTES });
    let last = await world.add("a");
    for (const content of ["b", "c", "d"])
      last = await world.add(content, [], { edges: [{ to: last, type: "link" }] });
    return world;
  };
  const energies = async (world: GraphWorld) =>
    Object.fromEntries(
      (await world.all()).map(({ content, energyAnchor }) => [content, energyAnchor?.value ?? null]),
    );

  test("what is linked wakes as far as depth goes, by what decay leaves; the same look wakes nobody twice", async () => {
    const world = await chain();
    await twice(world, policy, [(await world.the("a")).id]);
    expect(await energies(world)).toEqual({ a: null, b: 0.5, c: 0.25, d: null });
    world.clock.advance(1000);
    await world.service.touch(ALICE, [await world.the("a")]);
    await twice(world, { ...policy, depth: 3, decay: 0.9 });
    expect(await energies(world)).toMatchObject({
      b: expect.closeTo(0.9),
      c: expect.closeTo(0.81),
      d: expect.closeTo(0.729),
    });
  });

  test("what had faded is woken by what arrives, not by what it once was; and only along the links' way", async () => {
    const vitality = {
      policy: "biem_energy",
      initial_energy: 0.5,
      decay_per_hour: 1,
      access_boost: 0,
      feedback_boost: 0,
    };
    const world = await open({ options: { ...NOTES, vitality, edge_policy: "directed" } });
    const b = await world.add("b", [], { energyAnchor: { value: 1, at: world.clock.now() } });
    const a = await world.add("a", [], { edges: [{ to: b, type: "link" }] });
    await world.add("c", [], { edges: [{ to: a, type: "link" }] });
    world.clock.advance(24 * 3_600_000);
    await world.service.touch(ALICE, [await world.the("a")]);
    await world.evolve({ ...policy, depth: 1 });
    expect(await energies(world)).toMatchObject({ b: 0.5, c: null });
  });

  test("nothing was looked at: nothing wakes; public memories stay as they are", async () => {
    const world = await chain();
    await world.evolve(policy);
    expect(await energies(world)).toEqual({ a: null, b: null, c: null, d: null });
    const shared = await world.add("shared", [], {}, PUBLIC);
    const mine = await world.add("mine", [], { edges: [{ to: shared, type: "link" }] });
    await world.evolve(policy, [mine]);
    expect((await world.the("shared")).energyAnchor).toBeNull();
  });
});

const reply = (evolution: Json): string => JSON.stringify(evolution);
const evolution = {
  should_evolve: true,
  actions: ["strengthen", "update_neighbor"],
  suggested_connections: [0],
  tags_to_update: ["drinks"],
  new_context_neighborhood: ["A hot drink.", "A vessel."],
  new_tags_neighborhood: [["tea", "hot"], ["cup"]],
};

describe("[B.0.2] auto_link", () => {
  const policy = { link_policy: "auto_link", max_links: 5, threshold: 0.7, auto_link_prompt: "evolve_note" };
  const alike = { "green tea": ["tea", 0.9], "tea cup": ["tea", 0.75], 绿茶: ["喝茶", 0.8] } as const;
  const filled = async (chat?: GraphWorldOptions["chat"]) => {
    const world = await open({ alike, options: NOTES, ...(chat === undefined ? {} : { chat }) });
    for (const content of ["tea", "green tea", "tea cup", "喝茶", "绿茶", "car"]) await world.add(content);
    return world;
  };

  test("[B.0.9-5] works on the ids it is given, and links the nearest that are alike enough", async () => {
    const world = await filled();
    expect(
      await twice(world, policy, [(await world.the("tea")).id, (await world.the("绿茶")).id]),
    ).toMatchObject({
      ...{ examined: 2, edges: 3 },
    });
    expect(await world.edges()).toEqual([
      "tea -link-> green tea (0.9)",
      "tea -link-> tea cup (0.75)",
      "绿茶 -link-> 喝茶 (0.8)",
    ]);
  });

  test("a whole scope; max_links and threshold; nothing is linked twice", async () => {
    const edges = async (change: object) => {
      const world = await filled();
      await twice(world, { ...policy, ...change });
      return world.edges();
    };
    expect(await edges({})).toHaveLength(3);
    expect(await edges({ threshold: 0.85 })).toHaveLength(1);
    const world = await filled();
    await world.evolve({ ...policy, max_links: 1 }, [(await world.the("tea")).id]);
    expect(await world.edges()).toEqual(["tea -link-> green tea (0.9)"]);
  });

  test("[B.0.9-10] where there is a model, it says which: it is shown the note and its neighbours, once", async () => {
    const world = await filled(reply({ ...evolution, actions: ["strengthen"], suggested_connections: [1] }));
    const { id } = await world.the("tea");
    expect(await twice(world, policy, [id])).toMatchObject({ edges: 1 });
    expect(await world.edges()).toEqual(["tea -link-> tea cup (0.75)"]);
    expect(world.server?.requests).toHaveLength(1);
    const shown = JSON.stringify(world.server?.requests[0]?.body);
    expect(shown).toContain("green tea");
    expect(shown).not.toContain("car");
  });

  test("a note that was left waiting is settled", async () => {
    const world = await open({ alike, options: { ...NOTES, link_mode: "pending" } });
    await world.add("tea");
    const id = await world.add("green tea");
    expect((await world.service.getStatus(ALICE)).head?.details).toMatchObject({ pending_node: id });
    await world.evolve(policy, [id]);
    expect((await world.service.getStatus(ALICE)).count).toBe(0);
  });
});

describe("[B.0.2] evolve_note (A-Mem)", () => {
  const policy = {
    link_policy: "evolve_note",
    neighbours: 2,
    prompt: "evolve_note",
    update_target: "neighbour",
    reembed: null,
    rebuild: null,
  };
  const alike = { "green tea": ["tea", 0.9], "tea cup": ["green tea", 0.7] } as const;
  const filled = async (chat?: GraphWorldOptions["chat"]) => {
    const world = await open({ alike, options: NOTES, ...(chat === undefined ? {} : { chat }) });
    await world.add("first ever", [], { tags: ["old"] });
    await world.add("tea", [], { tags: ["plant"], metadata: { context: "Before.", keywords: ["leaf"] } });
    await world.add("tea cup", [], { tags: ["thing"] });
    return { world, id: await world.add("green tea", [], { tags: ["new"] }) };
  };

  test("[P5-4] true neighbours change, tags are replaced and not merged, links are added, once", async () => {
    const { world, id } = await filled(reply(evolution));
    expect(await twice(world, policy, [id])).toMatchObject({ examined: 1, edges: 1 });
    expect(await world.edges()).toEqual(["green tea -link-> tea (1)"]);
    expect(await world.the("tea")).toMatchObject({
      tags: ["hot", "tea"],
      metadata: { context: "A hot drink.", keywords: ["leaf"] },
    });
    expect(await world.the("tea cup")).toMatchObject({ tags: ["cup"], metadata: { context: "A vessel." } });
    expect(await world.the("green tea")).toMatchObject({ tags: ["drinks"] });
    expect((await world.the("first ever")).tags).toEqual(["old"]);
    expect(world.server?.requests).toHaveLength(1);
  });

  test("shorter lists are about the first neighbours, the others stay as they are", async () => {
    const short = {
      ...evolution,
      new_context_neighborhood: ["A hot drink."],
      new_tags_neighborhood: [["tea"]],
    };
    const { world, id } = await filled(reply(short));
    await world.evolve(policy, [id]);
    expect(await world.the("tea")).toMatchObject({ tags: ["tea"], metadata: { context: "A hot drink." } });
    expect((await world.the("tea cup")).tags).toEqual(["thing"]);
  });

  test("[P5-3] five neighbours and three lists of tags: exactly three notes change", async () => {
    const names = ["one", "two", "three", "four", "five"];
    const world = await open({
      alike: Object.fromEntries(names.map((name, place) => [name, ["green tea", 0.9 - place / 10]])),
      options: NOTES,
      chat: reply({
        ...evolution,
        new_context_neighborhood: [],
        new_tags_neighborhood: [["new 1"], ["new 2"], ["new 3"]],
      }),
    });
    for (const name of names) await world.add(name, [], { tags: ["old"], metadata: { context: name } });
    const id = await world.add("green tea");
    await world.evolve({ ...policy, neighbours: 5 }, [id]);
    const tags = await Promise.all(names.map(async (name) => (await world.the(name)).tags));
    expect(tags).toEqual([["new 1"], ["new 2"], ["new 3"], ["old"], ["old"]]);
    // A list too short: what was said before stays.
    expect((await world.the("one")).metadata.context).toBe("one");
  });

  test("rank_in_list: the library's mistake changes the first notes ever stored, not those that were shown", async () => {
    const { world, id } = await filled(reply(evolution));
    await world.evolve({ ...policy, update_target: "rank_in_list" }, [id]);
    expect((await world.the("first ever")).tags).toEqual(["hot", "tea"]);
    expect((await world.the("tea")).tags).toEqual(["cup"]);
    expect((await world.the("tea cup")).tags).toEqual(["thing"]);
    expect(await world.edges()).toEqual(["green tea -link-> tea (1)"]);
  });

  const nearTo = (world: GraphWorld) => async (text: string) =>
    (await world.find({ vectors: world.vectors(text), touch: false }))[0];

  test("reembed: the vector of a changed note is of what it says from then on, in the form that is named", async () => {
    const { world, id } = await filled(reply(evolution));
    const near = nearTo(world);
    await world.evolve({ ...policy, reembed: "context_keywords" }, [id]);
    expect(await near("A hot drink. keywords: leaf")).toBe("tea");
    // Its own tags alone have changed, and they are no part of this form.
    expect(await near("green tea")).toBe("green tea");
    expect(await near("first ever")).toBe("first ever");

    const all = await filled(reply(evolution));
    await all.world.evolve({ ...policy, reembed: "all" }, [all.id]);
    expect(await nearTo(all.world)("tea A hot drink. keywords: leaf tags: hot, tea")).toBe("tea");
  });

  test("rebuild: after so many evolutions, counted over restarts and runs, every note is embedded anew", async () => {
    const world = await open({
      options: NOTES,
      chat: reply({ ...evolution, actions: ["strengthen"], suggested_connections: [] }),
    });
    const rebuild = { every: 2, embed: "all" };
    const untouched = await world.add("first ever", [], { tags: ["old"], metadata: { context: "Early." } });
    const one = async (text: string) =>
      world.evolve({ ...policy, neighbours: 1, rebuild }, [await world.add(text)]);
    // The task is not asked where there are no neighbours, and nothing evolves.
    await world.evolve({ ...policy, rebuild }, [untouched]);
    const vector = async () => (await world.store.vectors(ALICE, "hand-made", [untouched]))[0];
    await one("tea");
    expect(await vector()).toEqual(world.vectors("first ever")[0]?.values);
    await one("tea cup");
    const first = await world.the("first ever");
    expect(await vector()).toEqual(
      world.vectors(`first ever Early. keywords:  tags: ${first.tags.join(", ")}`)[0]?.values,
    );
  });

  test("neighbours is how many are shown; nothing evolves where the model says so", async () => {
    const { world, id } = await filled(reply({ should_evolve: false }));
    await twice(world, { ...policy, neighbours: 1 }, [id]);
    expect(await world.edges()).toEqual([]);
    expect((await world.the("tea")).tags).toEqual(["plant"]);
    expect(JSON.stringify(world.server?.requests[0]?.body)).not.toContain("tea cup");
  });

  test("without a model, by shared words, in Chinese as well", async () => {
    const texts = ["小美喜欢在公园喝绿茶", "小美每天在公园喝绿茶看书"] as const;
    const world = await open({ alike: { [texts[1]]: [texts[0], 0.9] }, options: NOTES });
    await world.add(texts[0], [], { tags: ["绿茶"] });
    const id = await world.add(texts[1], [], { tags: ["公园"] });
    await twice(world, policy, [id]);
    expect(await world.edges()).toEqual([`${texts[1]} -link-> ${texts[0]} (1)`]);
    expect((await world.the(texts[0])).tags).toEqual(["公园", "绿茶"]);
  });

  test("[C-31] public neighbours are linked to and never changed; private ones of others are never shown", async () => {
    const world = await open({
      alike,
      options: NOTES,
      chat: reply({ ...evolution, new_context_neighborhood: ["x"], new_tags_neighborhood: [["x"]] }),
    });
    await world.add("tea", [], { tags: ["plant"] }, PUBLIC);
    await world.add("tea cup", [], {}, BOB);
    const id = await world.add("green tea");
    await world.evolve(policy, [id]);
    expect(await world.edges()).toEqual(["green tea -link-> tea (1)"]);
    expect((await world.the("tea")).tags).toEqual(["plant"]);
    expect(JSON.stringify(world.server?.requests[0]?.body)).not.toContain("tea cup");
  });
});

test("edge_policy: links that policies draw go the way the service walks", async () => {
  const alike = { near: ["base", 0.9] } as const;
  for (const edge_policy of ["directed", "bidirectional"]) {
    for (const policy of [
      { link_policy: "auto_link", max_links: 5, threshold: 0.7, auto_link_prompt: "evolve_note" },
      { link_policy: "evolve_links", ...EVOLVE_LINKS },
    ]) {
      const world = await open({ alike, options: { ...NOTES, edge_policy } });
      await world.add("base");
      const near = await world.add("near");
      await world.evolve(policy, [near]);
      const drawn = await world.store.edges(ALICE, [near]);
      expect(drawn.map(({ directed }) => directed)).toEqual([edge_policy === "directed"]);
    }
  }
});

test("route leaves links alone that others made: it neither counts, changes nor drops them", async () => {
  const world = await open({ options: NOTES });
  const said = await world.add("早先说的");
  const old = await world.add("said before");
  const id = await world.add("said now", [], {
    edges: [
      { to: said, type: "link", weight: 0.01, provenance: "caller" },
      { to: said, type: "temporal", weight: 0.02, provenance: "caller" },
    ],
  });
  const temporal = { window_seconds: 3600, min_weight: 0.1, max_links: 5, max_weight: 2 };
  const route = {
    link_policy: "route",
    temporal,
    semantic: null,
    causal: null,
    strengthen_by: 0.1,
    max_out_edges: 2,
  };
  expect(await world.evolve(route, [id])).toMatchObject({ edges: 1 });
  const leaving = (await world.store.edges(ALICE, [id])).filter(({ from }) => from === id);
  expect(leaving.map(({ to, type, provenance }) => [to, type, provenance])).toEqual(
    expect.arrayContaining([
      [said, "link", "caller"],
      [said, "temporal", "caller"],
      [old, "temporal", "route"],
    ]),
  );
  expect(leaving).toHaveLength(3);
});

test("route ties a memory to the alike before it, however many more alike came after it", async () => {
  const world = await open({ alike: { "green tea": ["tea", 0.9] }, options: NOTES });
  const before = await world.add("tea");
  const id = await world.add("green tea");
  for (let i = 0; i < 50; i++) await world.add("green tea");
  const route = {
    link_policy: "route",
    temporal: null,
    semantic: { similarity_threshold: 0.5, max_links: 1, max_weight: 2 },
    causal: null,
    strengthen_by: 0.1,
    max_out_edges: 2,
  };
  expect(await world.evolve(route, [id])).toMatchObject({ edges: 1 });
  expect(await world.store.edges(ALICE, [id])).toMatchObject([{ from: id, to: before, type: "semantic" }]);
});

test("[S1-9] evolve_links: seed 001's numbers, once per memory", async () => {
  const world = await open({ alike: { "green tea": ["tea", 0.9] }, options: NOTES });
  const tea = await world.add("tea");
  const car = await world.add("car");
  const id = await world.add("green tea", [], { edges: [{ to: car, type: "link", weight: 1 }] });
  const config = { link_policy: "evolve_links", ...EVOLVE_LINKS };
  expect(await twice(world, config, [id])).toMatchObject({ edges: 2 });
  expect(await world.edges()).toEqual(["green tea -link-> car (0.95)", "green tea -link-> tea (0.9)"]);
  expect(await world.evolve(config, [tea])).toMatchObject({ edges: 2 });
  expect(await world.edges()).toEqual(["green tea -link-> car (0.95)", "green tea -link-> tea (1.035)"]);
});

test("an unknown policy or a word too many is refused with what is valid", async () => {
  const world = await open({ options: NOTES });
  for (const config of [
    { link_policy: "auto_lnk" },
    { link_policy: "activate", depth: 2 },
    { link_policy: "activate", depth: 2, decay: 0.5, x: 1 },
  ])
    await expect(world.evolve(config)).rejects.toMatchObject({ code: "option_invalid" });
});
