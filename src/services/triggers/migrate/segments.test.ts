import { afterEach, describe, expect, test } from "vitest";
import { ARCHIVED, type Entry } from "../../../base/entry.ts";
import type { EntryId } from "../../../base/ids.ts";
import type { JsonObject } from "../../../base/json.ts";
import { createVitality } from "../../../policies/vitality/index.ts";
import type { ServerReply } from "../../../testing/model-server.ts";
import { ALICE, DAY, HOUR, openTriggerWorld, type TriggerWorld } from "../../../testing/trigger-world.ts";

const HEAT = {
  policy: "memoryos_heat",
  form: "segment",
  visit_weight: 1,
  interaction_weight: 1,
  recency_weight: 1,
  recency_seconds: 86_400,
};
const CONFIG: JsonObject = {
  migrate_policy: "segments",
  segment_tier: "mtm",
  long_term_tier: "lpm",
  themes_prompt: "themes",
  max_themes: 2,
  chain_prompt: "summarize_chain",
  chain_max_words: 40,
  join: { overlap: "jaccard", similarity_weight: 1, overlap_weight: 1, time: null },
  join_threshold: 0.6,
  max_segments: 2000,
  evict: "lfu",
  heat: HEAT,
  heat_threshold: 5,
  profile_prompt: "update_profile",
  profile_min_chars: 30,
  knowledge_capacity: 100,
};

let world: TriggerWorld | undefined;
afterEach(() => world?.close());

/** Answers by task; themes come as they are told, "theme|keywords|content". */
interface Script {
  readonly themes?: (text: string) => readonly string[];
  readonly profile?: () => JsonObject;
}

async function open(script: Script = {}, capacity = 1): Promise<TriggerWorld> {
  const tier = (name: string, size: number | null) => ({
    name,
    capacity: size,
    membership: "exclusive",
    indexes: ["queue", "vector", "text"],
  });
  world = await openTriggerWorld({
    service: "hierarchical_memory",
    options: {
      top_k: 10,
      tiers: [tier("stm", capacity), tier("mtm", null), tier("lpm", null)],
      migration_policy: "pending",
      eviction: null,
      graph: null,
    },
    chat: ({ body }): ServerReply => answer(JSON.stringify(body), script),
  });
  return world;
}

function answer(body: string, { themes = () => ["tea|tea|Mia and Ben talk about tea."], profile }: Script) {
  if (body.includes('"name":"themes"')) {
    const told = themes(body).map((one) => {
      const [theme = "", keywords = "", content = ""] = one.split("|");
      return { theme, keywords: keywords.split(","), content };
    });
    return JSON.stringify({ themes: told });
  }
  if (body.includes('"name":"summarize_chain"')) return JSON.stringify({ summary: "They talk on." });
  return JSON.stringify(profile?.() ?? { profile: "none", user_facts: [], assistant_knowledge: [] });
}

const page = (user: string, assistant: string, more: JsonObject = {}) =>
  [
    `Mia: ${user}\nBen: ${assistant}`,
    { metadata: { persons: ["Mia", "Ben"], assistants: ["Ben"], ...more } },
  ] as const;

/** So many pages, all but the last of them filed when it has come. */
async function talk(it: TriggerWorld, count: number, about = "tea number"): Promise<EntryId[]> {
  const ids: EntryId[] = [];
  for (let n = 0; n < count; n++) ids.push(await it.add(...page(`${about} ${n}`, about)));
  await it.run("migrate", CONFIG);
  return ids;
}

async function ofKind({ store }: TriggerWorld, kind: string): Promise<Entry[]> {
  const all = await store.scan(ALICE, { limit: 1000 });
  return all.filter((one) => one.kind === kind && one.tier !== ARCHIVED && one.supersededBy === null);
}
const heatOf = (it: TriggerWorld, entry: Entry) => createVitality(HEAT).score(entry, it.clock.now());

describe("filing pages under segments", () => {
  test("[S0-74] a page that no longer fits moves on, keeps its id and is cited by a segment of its theme", async () => {
    const it = await open();
    const [first, last] = await talk(it, 2);
    const [segment] = await ofKind(it, "segment");
    expect(segment).toMatchObject({
      tier: "mtm",
      content: "Mia and Ben talk about tea.",
      sources: [first],
      metadata: { theme: "tea", keywords: ["tea"] },
      strength: 1,
    });
    expect([(await it.get(first)).tier, (await it.get(last)).tier]).toEqual(["mtm", "stm"]);
    expect((await it.service.getStatus(ALICE)).count).toBe(0);
    expect(await it.run("migrate", CONFIG)).toMatchObject({
      added: [],
      moved: [],
      reason: expect.any(String),
    });
  });

  test("[P6-3] likeness and keywords together decide whether a theme joins or begins; the form of overlap is a switch", async () => {
    // Nothing in common but one of two keywords: Fscore is the overlap alone, 1/3 or 1/2.
    const script = {
      themes: (body: string) => [body.includes("number 1") ? "x|b,c|zzz qqq" : "y|a,b|kkk www"],
    };
    const segments = async (change: JsonObject) => {
      const it = await open(script);
      for (let n = 0; n < 3; n++) {
        await it.add(...page(`number ${n}`, "yes"));
        await it.run("migrate", { ...CONFIG, ...change });
      }
      const found = await ofKind(it, "segment");
      await it.close();
      return found.map(({ sources }) => sources.length);
    };
    const join = { similarity_weight: 0, overlap_weight: 1, time: null };
    const [jaccard, share] = ["jaccard", "mean_share"].map((overlap) => ({ ...join, overlap }));
    expect(await segments({ join: jaccard ?? null, join_threshold: 0.4 })).toEqual([1, 1]);
    expect(await segments({ join: share ?? null, join_threshold: 0.4 })).toEqual([2]);
    expect(await segments({ join: jaccard ?? null, join_threshold: 0.33 })).toEqual([2]);
  });

  test("a page of two themes is stored once and in two segments; more themes than max_themes are left out", async () => {
    const it = await open({
      themes: () => ["tea|tea|tea leaves", "rain|rain|heavy rain", "sun|sun|hot sun"],
    });
    const [first] = await talk(it, 2);
    const segments = await ofKind(it, "segment");
    expect(segments.map(({ content, sources }) => [content, sources])).toEqual([
      ["tea leaves", [first]],
      ["heavy rain", [first]],
    ]);
    expect(await ofKind(it, "memory")).toHaveLength(2);
  });

  test("pages of a chain take its summary on; the newest has it", async () => {
    const it = await open();
    await it.add(...page("tea?", "yes", { chain_id: "c", previous_page: null }));
    await it.add(...page("green tea?", "no", { chain_id: "c", previous_page: "p" }));
    await it.run("migrate", CONFIG);
    await it.add(...page("rain", "yes", { chain_id: "d", previous_page: null }));
    await it.run("migrate", CONFIG);
    const [, second] = await ofKind(it, "memory");
    expect(second?.metadata).toMatchObject({ chain_summary: "They talk on.", chain_id: "c" });
    const asked = it.server?.requests.map(({ body }) => JSON.stringify(body)) ?? [];
    const chains = asked.filter((body) => body.includes('"name":"summarize_chain"'));
    expect(chains).toHaveLength(2);
    expect(chains[1]).toContain("They talk on.");
  });

  test("a page whose segment was taken away is filed again", async () => {
    const it = await open();
    const [first] = await talk(it, 2);
    const [segment] = await ofKind(it, "segment");
    if (segment !== undefined) await it.service.delete(ALICE, segment.id);
    const { added } = await it.run("migrate", CONFIG);
    expect((await it.get(added[0])).sources).toEqual([first]);
    expect((await it.run("migrate", CONFIG)).added).toEqual([]);
  });

  test("beyond max_segments the least visited goes, or the coldest; its pages go with it and can be read", async () => {
    for (const evict of ["lfu", "heat"]) {
      let topic = 0;
      const it = await open({ themes: () => [`t${topic}|k${topic}|topic${topic} word${topic}`] });
      const heat = { ...HEAT, visit_weight: 0.5 };
      const config = { ...CONFIG, evict, heat, max_segments: 2, heat_threshold: 1000 };
      const pages: EntryId[] = [];
      const say = async () => {
        pages.push(await it.add(...page(`number ${topic++}`, "yes")));
        return it.run("migrate", config);
      };
      for (let n = 0; n < 3; n++) await say();
      const [visited, full] = await ofKind(it, "segment");
      if (visited === undefined || full === undefined) throw new Error("there are not two segments");
      await it.service.touch(ALICE, [visited]);
      await it.store.touch(ALICE, [{ id: full.id, addStrength: 3 }]);
      it.clock.advance(30 * DAY);
      const [gone, goneWith] = evict === "lfu" ? [full, pages[1]] : [visited, pages[0]];
      expect((await say()).retired).toEqual([gone.id, goneWith]);
      expect(await it.get(goneWith)).toMatchObject({
        tier: ARCHIVED,
        content: expect.stringContaining("number"),
      });
      await it.close();
    }
  });
});

describe("reading hot segments", () => {
  const profile = {
    profile: "Taste (High): drinks green tea every single morning.",
    user_facts: ["Mia drinks tea.", "Mia owns a blue teapot."],
    assistant_knowledge: ["Ben recommends oolong."],
  };

  test("[P6-1][P6-4] a new segment of 4 pages has heat 5 and is read at once; then only its recency is left", async () => {
    const it = await open({ profile: () => profile });
    await talk(it, 4);
    const [cooler] = await ofKind(it, "segment");
    expect(cooler && heatOf(it, cooler)).toBe(4);
    expect(await ofKind(it, "profile")).toEqual([]);
    await it.close();
    const hot = await open({ profile: () => profile });
    await talk(hot, 5);
    const [segment] = await ofKind(hot, "segment");
    expect(segment).toMatchObject({ accessCount: 0, strength: 0 });
    expect(segment && heatOf(hot, segment)).toBe(1);
    const [written] = await ofKind(hot, "profile");
    expect(written).toMatchObject({
      content: profile.profile,
      tier: "lpm",
      metadata: { user: "Mia", assistant: "Ben" },
    });
    expect(written?.sources).toEqual(segment?.sources);
    expect((await ofKind(hot, "user_knowledge")).map(({ content }) => content)).toEqual(profile.user_facts);
    expect(await ofKind(hot, "assistant_knowledge")).toHaveLength(1);
    expect((await hot.run("migrate", CONFIG)).added).toEqual([]);
  });

  test("[P6-2] recency is e⁻¹ after 24 hours; visits heat a segment, but what was read is not read again", async () => {
    const it = await open({ profile: () => profile });
    await talk(it, 5);
    it.clock.advance(24 * HOUR);
    const [segment] = await ofKind(it, "segment");
    expect(segment && heatOf(it, segment)).toBeCloseTo(Math.exp(-1), 12);
    for (let n = 0; n < 6; n++) if (segment !== undefined) await it.service.touch(ALICE, [segment]);
    expect((await it.run("migrate", CONFIG)).added).toEqual([]);
    await it.add(...page("tea number 9", "good tea"));
    const { added } = await it.run("migrate", CONFIG);
    // The same knowledge and the same profile are known already.
    expect(added).toEqual([]);
    const [again] = await ofKind(it, "segment");
    expect(again).toMatchObject({ accessCount: 0, strength: 0, metadata: { earlier_visits: 6 } });
  });

  test("a new profile takes the old one's place; none and one that is too short are ignored", async () => {
    const it = await open({ profile: () => ({ ...profile, profile: "none" }) });
    await talk(it, 5);
    expect(await ofKind(it, "profile")).toEqual([]);
    expect(await ofKind(it, "user_knowledge")).toHaveLength(2);
    await it.close();
    let text = "喜欢绿茶。";
    const chinese = await open({
      themes: () => ["茶|茶|两人谈茶。"],
      profile: () => ({ profile: text, user_facts: ["小美喝茶。"], assistant_knowledge: [] }),
    });
    await talk(chinese, 5, "我喜欢喝茶");
    expect(await ofKind(chinese, "profile")).toEqual([]);
    const texts = [
      "口味（高）：每天早上都喝绿茶，从不加糖。",
      "口味（高）：每天早上都喝绿茶，偶尔也喝红茶。",
    ];
    for (text of texts) await talk(chinese, 5, "我喜欢喝茶");
    const [current] = await ofKind(chinese, "profile");
    expect(current?.content).toBe(texts[1]);
    const all = (await chinese.store.scan(ALICE, { limit: 1000 })).filter(({ kind }) => kind === "profile");
    expect(all.map(({ supersededBy }) => supersededBy)).toEqual([current?.id, null]);
  });

  test("[P6-5] knowledge never exceeds its capacity; the oldest goes into the archive", async () => {
    let round = 0;
    const facts = () => Array.from({ length: 60 }, (_, n) => `Fact ${round}.${n} about Mia.`);
    const it = await open({
      profile() {
        round++;
        return { ...profile, user_facts: facts() };
      },
    });
    await talk(it, 5);
    await talk(it, 5);
    const kept = await ofKind(it, "user_knowledge");
    expect(kept).toHaveLength(100);
    expect(kept[0]?.content).toBe("Fact 1.20 about Mia.");
    expect(
      (await it.store.scan(ALICE, { limit: 1000 })).filter(({ tier }) => tier === ARCHIVED),
    ).toHaveLength(20);
  });

  test("a model that is down leaves pages where they were, or a segment hot", async () => {
    const it = await open({ profile: () => ({ profile: 1 }) });
    for (let n = 0; n < 5; n++) await it.add(...page(`tea number ${n}`, "good tea"));
    await expect(it.run("migrate", CONFIG)).rejects.toThrow();
    const [segment] = await ofKind(it, "segment");
    expect(segment).toMatchObject({ strength: 4 });
    expect((await ofKind(it, "memory")).every(({ metadata }) => metadata.analysed === undefined)).toBe(true);
  });

  test("two hot segments are read before either is set back: a model that goes down at the second costs nothing", async () => {
    let [asked, isDown] = [0, true];
    const it = await open({
      themes: (text) => [text.includes("chess") ? "chess|chess|They play chess." : "tea|tea|They drink tea."],
      profile() {
        asked++;
        const works = { ...profile, profile: `Leisure (High): tea and chess, told ${asked} times over.` };
        return isDown && asked > 1 ? { profile: 1 } : { ...works, user_facts: [`Fact ${asked} about Mia.`] };
      },
    });
    const cold = { ...CONFIG, heat_threshold: 100 };
    for (const topic of ["tea", "chess"]) {
      for (let n = 0; n < 5; n++) {
        await it.add(...page(`${topic} number ${n}`, `good ${topic}`));
        await it.run("migrate", cold);
      }
    }
    await expect(it.run("migrate", CONFIG)).rejects.toThrow();
    expect(await ofKind(it, "user_knowledge")).toEqual([]);
    expect((await ofKind(it, "memory")).every(({ metadata }) => metadata.analysed === undefined)).toBe(true);
    isDown = false;
    asked = 0;
    await it.run("migrate", CONFIG);
    expect(asked).toBe(2);
    const [stored, ...others] = await ofKind(it, "profile");
    expect(others).toEqual([]);
    expect(stored?.content).toContain("2 times");
    expect(await ofKind(it, "user_knowledge")).toHaveLength(2);
    expect((await ofKind(it, "segment")).map(({ strength }) => strength)).toEqual([0, 0]);
  });
});
