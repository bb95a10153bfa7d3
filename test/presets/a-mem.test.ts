import { afterEach, describe, expect, test } from "vitest";
import type { Entry } from "../../src/base/entry.ts";
import type { Json } from "../../src/base/json.ts";
import { loadPreset, parsePreset } from "../../src/preset/load.ts";
import type { SeenRequest } from "../../src/testing/model-server.ts";
import {
  ALICE,
  openPresetWorld,
  type PresetWorld,
  type PresetWorldOptions,
  sharedEmbedder,
} from "../../src/testing/preset-world.ts";

const worlds: PresetWorld[] = [];
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close();
});
async function open(options: PresetWorldOptions = {}, variant = ""): Promise<PresetWorld> {
  const text = `name: variant\nextends: a_mem\ndefaults: recommended\n${variant}`;
  const preset = variant === "" ? "a_mem" : await parsePreset(text, "variant.yaml");
  const world = await openPresetWorld(preset, options);
  worlds.push(world);
  return world;
}

const START = Date.UTC(2026, 3, 1, 9);
const told = (turns: readonly (readonly [speaker: string, text: string])[]) =>
  turns.map(([speaker, text], place) => ({ speaker, text, happenedAt: START + place * 3_600_000 }));

const EN = [
  ["Nora", "I started pottery classes at the community studio on Tuesdays."],
  ["Sam", "My car broke down again and the garage wants 900 dollars."],
  ["Nora", "At the pottery studio I made a blue bowl for my sister."],
  ["Sam", "I sold the old car and bought a bicycle instead."],
  ["Nora", "My sister Iris loved the blue bowl and wants pottery classes, too."],
  ["Sam", "The bicycle is great, I ride it to work along the river."],
] as const;
const ZH = [
  ["小诺", "我每周二在社区工作室上陶艺课。"],
  ["阿山", "我的车又坏了，修车厂要价九千块。"],
  ["小诺", "我在陶艺工作室给姐姐做了一只蓝色的碗。"],
  ["阿山", "我把旧车卖了，买了一辆自行车。"],
  ["小诺", "姐姐很喜欢那只蓝色的碗，也想上陶艺课。"],
  ["阿山", "自行车很好骑，我沿着河边骑车上班。"],
] as const;

/** What the model is shown, without what it is told to do with it. */
function shown({ body }: SeenRequest): string {
  return JSON.stringify(Array.isArray(body.messages) ? body.messages.at(-1) : "");
}

const isZh = (text: string): boolean => /[\u4e00-\u9fff]/.test(text);

function note(request: SeenRequest): Json {
  const text = shown(request);
  const pottery = /pottery|bowl|陶艺|碗/.test(text);
  if (isZh(text))
    return pottery
      ? { keywords: ["陶艺", "工作室"], context: "关于陶艺爱好的谈话。", tags: ["爱好"] }
      : { keywords: ["车", "出行"], context: "关于出行方式的谈话。", tags: ["交通"] };
  return pottery
    ? { keywords: ["pottery", "studio"], context: "A talk about pottery as a hobby.", tags: ["hobby"] }
    : { keywords: ["car", "travel"], context: "A talk about ways to get around.", tags: ["transport"] };
}

/** Every note is joined to its nearest neighbour, which gets a new tag and context. */
function evolution(request: SeenRequest): Json {
  const zh = isZh(shown(request));
  return {
    should_evolve: true,
    actions: ["strengthen", "update_neighbor"],
    suggested_connections: [0],
    tags_to_update: [zh ? "已连接" : "linked"],
    new_context_neighborhood: [zh ? "后来又谈到了。" : "It came up again later."],
    new_tags_neighborhood: [[zh ? "再次提到" : "mentioned again"]],
  };
}

const REPLIES = { write_note: note, evolve_note: evolution };

async function linksOf({ storage, memory }: PresetWorld, entries: readonly Entry[]): Promise<string[]> {
  const place = new Map<string, number>(entries.map(({ id }, at) => [id, at]));
  const ids = entries.map(({ id }) => id);
  const edges = await storage().edges(ALICE, memory().service.collection, ids);
  return edges.map(({ from, to, type }) => `${place.get(from)} ${type} ${place.get(to)}`).sort();
}

describe("golden dialogues", () => {
  test.each([
    ["en", EN, ["pottery"], "What did Nora make for her sister?", "pottery", /pottery|bowl/],
    ["zh", ZH, ["陶艺"], "小诺给姐姐做了什么？", "陶艺", /陶艺|碗/],
  ] as const)(
    "[S0-73] with a model (%s): notes, links to true neighbours, which change; recall by keywords and links",
    async (_language, talk, keywords, question, word, wanted) => {
      const it = await open({ replies: { ...REPLIES, extract_keywords: { keywords: [...keywords] } } });
      const { done } = await it.say(told(talk));
      // Two calls for each note; the first has no neighbours to change.
      expect(it.calls()).toEqual([
        "write_note",
        ...talk.slice(1).flatMap(() => ["write_note", "evolve_note"]),
      ]);
      const stored = await it.entries();
      expect(stored.map(({ content }) => content)).toEqual(talk.map(([who, text]) => `${who}: ${text}`));
      const [first] = stored;
      expect(first?.metadata).toMatchObject({ keywords: expect.arrayContaining([word]) });
      expect(stored.every(({ sources }) => sources.length === 1)).toBe(true);
      // The last one has its own new tags and context still; whoever was a nearest neighbour later has new ones.
      expect(stored.at(-1)).toMatchObject({ tags: [expect.stringMatching(/linked|已连接/)] });
      const updated = stored.filter(({ tags }) => /mentioned again|再次提到/.test(tags.join()));
      expect(updated.length).toBeGreaterThan(0);
      for (const { metadata } of updated) expect(metadata.context).toMatch(/came up again|后来又谈到/);
      const links = await linksOf(it, stored);
      expect(links).toHaveLength(talk.length - 1);
      for (const link of links) expect(link).toMatch(/^\d link \d$/);
      const evolved = done.at(-1)?.result.stages.find(({ action }) => action === "link_evolution");
      expect(evolved?.notes).toMatchObject({ examined: 1, edges: 1 });

      const found = await it.ask(question);
      expect(it.calls()).toEqual(["extract_keywords"]);
      expect(found.lists.map(({ query }) => query.text)).toEqual([keywords.join(" ")]);
      expect(found.hits.length).toBeLessThanOrEqual(20);
      expect(found.hits[0]?.content).toMatch(wanted);
      // What the hits are linked with joins them.
      const one = await it.ask({ text: question, topK: 1 });
      expect(one.hits.slice(1).map(({ scoreParts }) => scoreParts.link ?? 0)).toContain(1);
      for (const { score } of one.hits.slice(1)) expect(score).toBeLessThan(one.hits[0]?.score ?? 0);
      expect(found.hits[0]?.text).toMatch(/context: .*; keywords: .*; tags: /);
      expect(found.context).toMatch(/^\[(?:\d\d:00 on 1 April 2026|2026年4月1日)/);
    },
  );

  test.each([
    ["en", EN, "What did Nora make for her sister?", /blue bowl/],
    ["zh", ZH, "小诺给姐姐做了什么？", /蓝色的碗/],
  ] as const)(
    "[S0-73] with no model (%s): rules write and link the notes, and the answer is found",
    async (_language, talk, question, wanted) => {
      const it = await open();
      await it.say(told(talk));
      const stored = await it.entries();
      for (const { metadata, tags } of stored) {
        expect(metadata.context).toMatch(/\S/);
        expect(metadata.keywords).not.toEqual([]);
        expect(tags.length).toBeGreaterThan(0);
      }
      const links = await linksOf(it, stored);
      expect(links.length).toBeGreaterThan(0);
      // The two notes about the bowl know of each other.
      expect(links).toContain("4 link 2");
      const { hits } = await it.ask(question);
      expect(hits.slice(0, 3).some(({ content }) => wanted.test(content))).toBe(true);
    },
  );
});

describe("papers.md §5 (g)", () => {
  test("[P5-1] five neighbours, ten notes recalled, a rebuild after every hundred evolutions", async () => {
    const { stages } = await loadPreset("a_mem");
    expect(stages.post_insert[0]?.options).toMatchObject({ neighbours: 5, rebuild: { every: 100 } });
    const shownNeighbours: number[] = [];
    const it = await open({
      replies: {
        write_note: note,
        evolve_note: (request) => {
          shownNeighbours.push([...shown(request).matchAll(/context: /g)].length - 1);
          return { ...(UNCHANGED satisfies Json) };
        },
        extract_keywords: { keywords: ["pottery"] },
      },
    });
    await it.say(
      told(Array.from({ length: 14 }, (_, place) => ["Nora", `I made pottery bowl ${place}.`] as const)),
    );
    expect(shownNeighbours).toEqual([1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5]);
    expect((await it.ask("Which bowls did Nora make?")).hits).toHaveLength(10);
  });

  test("[P5-2] what is embedded is `context keywords: a, b` and not the content", async () => {
    const it = await open({
      replies: { ...REPLIES, evolve_note: UNCHANGED, extract_keywords: { keywords: ["x"] } },
    });
    await it.say(told(EN.slice(0, 2)));
    const embedder = await sharedEmbedder();
    const texts = ["A talk about pottery as a hobby. keywords: pottery, studio", EN[0][1]];
    const [asNote, asContent] = await embedder.embedDocuments(texts);
    const [entry] = await it.entries();
    const [stored] = await it
      .storage()
      .vectors(ALICE, asNote?.space ?? "", entry === undefined ? [] : [entry.id]);
    expect(cosine(stored, asNote?.values)).toBeCloseTo(1, 4);
    expect(cosine(stored, asContent?.values)).toBeLessThan(0.95);
  });

  test.each([
    ["content", /^Nora: I started pottery/],
    ["context_keywords", /^A talk about pottery as a hobby\. keywords: pottery, studio$/],
    ["all", /^Nora: I started pottery.* keywords: pottery, studio tags: hobby$/],
  ])("the switch embed_note: %s", async (form, embedded) => {
    const seen: string[] = [];
    const embedder = await sharedEmbedder();
    const listening = {
      ...embedder,
      embedDocuments: (texts: readonly string[], options?: Parameters<typeof embedder.embedDocuments>[1]) => {
        seen.push(...texts);
        return embedder.embedDocuments(texts, options);
      },
    };
    const variant = `stages: { pre_insert: { action: extract, extract_type: note, embed_note: ${form} } }`;
    const it = await open({ replies: REPLIES, embedder: listening }, variant);
    await it.say(told(EN.slice(0, 1)));
    expect(seen[0]).toMatch(embedded);
  });

  test("a neighbour that changed is embedded anew, and is found by what it says now", async () => {
    const it = await open({
      replies: {
        write_note: note,
        evolve_note: {
          ...UNCHANGED,
          ...{ should_evolve: true, actions: ["update_neighbor"] },
          ...{ new_tags_neighborhood: [["moon"]], new_context_neighborhood: ["A rocket flew to the moon."] },
        },
        extract_keywords: { keywords: ["rocket to the moon"] },
      },
    });
    await it.say(told([EN[0], EN[2]]));
    const { hits } = await it.ask("Which rocket flew to the moon?");
    expect(hits[0]).toMatchObject({ content: `Nora: ${EN[0][1]}`, tags: ["moon"] });
    const scores = hits.map(({ scoreParts }) => scoreParts.cosine ?? 0);
    expect(scores[0]).toBeGreaterThan((scores[1] ?? 0) + 0.2);
  });

  test("the switch update_target: rank_in_list changes the first notes, as the library does", async () => {
    const variant = (target: string) =>
      `stages: { post_insert: { action: link_evolution, link_policy: evolve_note, update_target: ${target} } }`;
    const changed = async (target: string) => {
      const it = await open(
        { replies: { write_note: note, evolve_note: [UNCHANGED, UNCHANGED, evolve("new")] } },
        variant(target),
      );
      await it.say(told([EN[0], EN[1], EN[3], EN[5]]));
      const stored = await it.entries();
      return stored.findIndex(({ tags }) => tags.includes("new"));
    };
    // The bicycle's nearest neighbour is another note about ways to get around, not the first one about pottery.
    expect(await changed("neighbour")).toBeGreaterThan(0);
    expect(await changed("rank_in_list")).toBe(0);
  });
});

const UNCHANGED = {
  should_evolve: false,
  actions: [],
  suggested_connections: [],
  tags_to_update: [],
  new_context_neighborhood: [],
  new_tags_neighborhood: [],
};
function evolve(tag: string): Json {
  return { ...UNCHANGED, should_evolve: true, actions: ["update_neighbor"], new_tags_neighborhood: [[tag]] };
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined) return Number.NaN;
  const dot = (one: Float32Array, other: Float32Array): number =>
    one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
