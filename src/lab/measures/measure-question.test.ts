import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SeenHit } from "../result.ts";
import { type MeasuredQuestion, measureQuestion, type Seen } from "./measure-question.ts";

const NOTHING: MeasuredQuestion = {
  evidence: [],
  sessions: [],
  answers: [],
  values: undefined,
  category: "4",
  expects: "answer",
};

function hit(refs: readonly string[], tokens = 10): SeenHit {
  return { refs, tokens, score: 1, text: "" };
}

/** Turns are named "session:turn". */
function seen(hits: readonly SeenHit[], texts: readonly string[] = []): Seen {
  return { hits, texts, sessionOf: (ref) => (ref.includes(":") ? ref.split(":")[0] : undefined) };
}

function said(...texts: readonly string[]): Seen {
  return seen(
    texts.map(() => hit([])),
    texts,
  );
}

function measure(question: Partial<MeasuredQuestion>, what: Seen, ks: readonly number[] = [1, 2, 5]) {
  return measureQuestion({ ...NOTHING, ...question }, what, ks);
}

describe("evidence", () => {
  // Five hits of which the first comes from three turns and two stand for the same turn.
  const found = seen([
    hit(["1:1", "1:2", "2:1"], 200),
    hit(["3:1"], 60),
    hit(["3:1", "4:4"], 0),
    hit([], 700),
    hit(["5:5"], 40),
  ]);

  test("recall and all count hits, turns@K counts turns, whichever hits they come from", () => {
    const one = measure({ evidence: ["1:2", "3:1", "5:5", "9:9"] }, found, [1, 2, 4, 5]);
    expect(one).toMatchObject({ "recall@1": 0.25, "recall@2": 0.5, "recall@4": 0.5, "recall@5": 0.75 });
    // The turns in order: 1:1, 1:2, 2:1, 3:1, 4:4, 5:5.
    expect(one).toMatchObject({ "turns@1": 0, "turns@2": 0.25, "turns@4": 0.5, "turns@5": 0.5 });
    expect(one).toMatchObject({ "all@5": 0, mrr: 1 });
    const two = measure({ evidence: ["4:4", "3:1"] }, found, [2, 3]);
    expect(two).toMatchObject({ "recall@2": 0.5, "all@2": 0, "recall@3": 1, "all@3": 1, mrr: 1 / 2 });
  });

  test("evidence that is named twice counts once, and so does a turn that is found twice", () => {
    expect(measure({ evidence: ["3:1", "3:1", "9:9"] }, found)).toMatchObject({
      "recall@5": 0.5,
      mrr: 1 / 2,
    });
  });

  test("the first hits that fit into a budget, up to the first that does not", () => {
    // 200, 260, 260, 960, 1000 tokens.
    const one = measure({ evidence: ["1:1", "3:1", "4:4", "5:5"] }, found, [2, 3, 9]);
    expect(one).toMatchObject({ recall_in_250: 0.25, recall_in_500: 0.75, recall_in_1000: 1 });
    expect(one).toMatchObject({ "tokens@2": 260, "tokens@3": 260, "tokens@9": 1000 });
    // What is behind a hit that is too long is not taken in its place.
    const long = seen([hit(["1:1"], 251), hit(["2:1"], 5)]);
    expect(measure({ evidence: ["2:1"] }, long)).toMatchObject({ recall_in_250: 0, recall_in_500: 1 });
  });

  test("sessions are those the labels name, else those of the evidence", () => {
    // The sessions in order: 1, 2, 3, 4, 5.
    expect(measure({ sessions: ["2", "4"] }, found, [1, 2, 4])).toMatchObject({
      "sessions@1": 0,
      "sessions@2": 0.5,
      "sessions@4": 1,
      "recall@4": null,
    });
    expect(measure({ evidence: ["4:1", "4:2", "7:1"] }, found, [4])).toMatchObject({ "sessions@4": 0.5 });
    expect(measure({ sessions: ["1"] }, seen([hit(["unknown"]), hit(["1:7"])]), [1])).toMatchObject({
      "sessions@1": 1,
    });
  });

  test("no evidence is null, never 1; no hits with evidence is 0", () => {
    const none = measure({}, found);
    const asked = Object.keys(none).filter((name) => !name.startsWith("tokens"));
    expect(asked).toHaveLength(7 * 3 + 1 + 5);
    expect(asked.filter((name) => none[name] !== null)).toEqual([]);
    const nothing = measure({ evidence: ["1:1"], answers: ["猫"] }, seen([]));
    expect(new Set(Object.values(nothing))).toEqual(new Set([0, null]));
    expect(nothing).toMatchObject({
      "recall@5": 0,
      mrr: 0,
      "sessions@5": 0,
      "contains@5": 0,
      "newest@5": null,
    });
  });

  test("a question that expects no answer is measured by its evidence, and not by what it calls an answer", () => {
    const trap = { evidence: ["3:1"], answers: ["a necklace"], values: { newest: "b", older: ["c"] } };
    const one = measure(
      { ...trap, category: "5", expects: "abstain" },
      { ...found, texts: ["a necklace", "b"] },
    );
    expect(one).toMatchObject({ "recall@2": 1, "contains@5": null, "newest@5": null, "value@5": null });
  });
});

describe("contains", () => {
  const contains = (answers: readonly string[], ...texts: readonly string[]) =>
    measure({ answers }, said(...texts), [1, 2])["contains@2"];

  test("any answer, whole words, in one hit, whatever the case, the articles and the punctuation", () => {
    const texts = ["We met at a party.", "It cost $1,000, the Cat & dog!", "Oslo"];
    expect(contains(["art", "1000"], ...texts)).toBe(1);
    expect(contains(["art"], ...texts)).toBe(0);
    expect(contains(["A cat and the dog"], ...texts)).toBe(1);
    expect(contains(["“Cat” dog."], ...texts)).toBe(1);
    expect(contains(["party it cost"], ...texts)).toBe(0);
    expect(measure({ answers: ["Oslo"] }, said(...texts), [2, 3])).toMatchObject({
      "contains@2": 0,
      "contains@3": 1,
    });
  });

  test("typographic signs are as plain ones", () => {
    expect(contains(["Tom's book"], "It is Tom’s book")).toBe(1);
    expect(contains(["becoming nicole"], "I read “Becoming Nicole”—twice")).toBe(1);
    expect(contains(["Tom"], "对，Tom，Mary")).toBe(1);
  });

  test("in Chinese by characters, spaces and punctuation aside, but never a part of a number or a word", () => {
    expect(contains(["北京 大学"], "她去年考上了北京大学。")).toBe(1);
    expect(contains(["周三，下午"], "我们周三 下午见")).toBe(1);
    expect(contains(["上海"], "海上风大")).toBe(0);
    expect(contains(["2日"], "我们12日出发")).toBe(0);
    expect(contains(["２日"], "我们 2 日出发")).toBe(1);
    expect(contains(["Java"], "我用JavaScript写")).toBe(0);
    expect(contains(["python"], "我用Python写代码")).toBe(1);
    expect(contains(["서울"], "서울에서 만났어요")).toBe(1);
  });

  test("an answer of which nothing is left, and one that is only described, cannot be measured", () => {
    expect(contains(["The …!", ""], "the")).toBeNull();
    expect(contains(["The …!", "猫"], "猫")).toBe(1);
    const prose = { answers: ["The user would prefer jazz"], category: "single-session-preference" };
    expect(measure(prose, said("The user would prefer jazz"))["contains@1"]).toBeNull();
  });
});

describe("newest", () => {
  const values = { newest: "New York City", older: ["New York", "波士顿"] };
  const newest = (...texts: readonly string[]) => measure({ values }, said(...texts), [1, 3]);

  test("within the first K, and no older value before it", () => {
    expect(newest("She lives in New York City", "in New York")).toMatchObject({
      "newest@1": 1,
      "newest@3": 1,
    });
    expect(newest("nothing", "new york city")).toMatchObject({ "newest@1": 0, "newest@3": 1 });
    expect(newest("in New York", "New York City")).toMatchObject({ "newest@3": 0 });
    expect(newest("她住在波士顿。", "New York City")).toMatchObject({ "newest@3": 0 });
    expect(newest("nothing")).toMatchObject({ "newest@3": 0 });
  });

  test("value@K asks for the newest alone, wherever older ones stand", () => {
    expect(newest("in New York", "New York City")).toMatchObject({
      "value@1": 0,
      "value@3": 1,
      "newest@3": 0,
    });
    expect(newest("她住在波士顿。", "她搬到了New York City。")).toMatchObject({
      "value@3": 1,
      "newest@3": 0,
    });
    expect(newest("in New York", "波士顿")).toMatchObject({ "value@3": 0 });
  });

  test("a hit that tells both tells neither", () => {
    expect(newest("From New York she went to New York City")).toMatchObject({ "newest@3": 0, "value@3": 1 });
    expect(newest("New York City New York City")).toMatchObject({ "newest@3": 1 });
  });

  test("an older value can hold the newest", () => {
    const changed = { newest: "football", older: ["association football"] };
    const at = (text: string) => measure({ values: changed }, said(text), [1])["newest@1"];
    expect([at("plays association football"), at("plays football")]).toEqual([0, 1]);
  });

  test("a value that never changed, or changed back to nothing else, cannot be measured", () => {
    const unchanged = measure({ values: { newest: "蓝色", older: [] } }, said("蓝色"));
    expect([unchanged["newest@1"], unchanged["value@1"]]).toEqual([null, null]);
    expect(measure({ values: { newest: "Blue", older: ["blue!"] } }, said("blue"))["newest@1"]).toBeNull();
  });
});

describe("laws", () => {
  const ref = fc.constantFrom("1:1", "1:2", "2:1", "2:2", "3:1", "4:1");
  const hits = fc.array(
    fc.record({
      refs: fc.uniqueArray(ref, { maxLength: 3 }),
      tokens: fc.nat(900),
      score: fc.constant(0),
      text: fc.constant(""),
    }),
    { maxLength: 8 },
  );
  const evidence = fc.array(ref, { minLength: 1, maxLength: 5 });
  const KS = [1, 2, 3, 5, 8];

  test("more hits, turns, sessions or room never find less; all is never more than recall", () => {
    fc.assert(
      fc.property(hits, evidence, (some, wanted) => {
        const one = measure({ evidence: wanted }, seen(some), KS);
        const rising = ["recall", "all", "turns", "sessions", "tokens"].map((name) =>
          KS.map((k) => one[`${name}@${k}`] ?? -1),
        );
        rising.push([250, 500, 1000, 2000, 4000].map((budget) => one[`recall_in_${budget}`] ?? -1));
        for (const values of rising) expect(values).toEqual(values.toSorted((a, b) => a - b));
        for (const k of KS) expect(one[`all@${k}`] ?? 2).toBeLessThanOrEqual(one[`recall@${k}`] ?? -1);
      }),
    );
  });

  test("the order of the evidence and of a hit's turns does not matter to what is found", () => {
    fc.assert(
      fc.property(hits, evidence, (some, wanted) => {
        const turned = some.map((one) => ({ ...one, refs: one.refs.toReversed() }));
        const counted = (result: Record<string, number | null>) =>
          Object.entries(result).filter(([name]) => !/^(turns|sessions)@/.test(name));
        expect(measure({ evidence: wanted.toReversed() }, seen(some), KS)).toEqual(
          measure({ evidence: wanted }, seen(some), KS),
        );
        expect(counted(measure({ evidence: wanted }, seen(turned), KS))).toEqual(
          counted(measure({ evidence: wanted }, seen(some), KS)),
        );
      }),
    );
  });

  test("a hit from evidence is first where mrr is 1, and nowhere where it is 0", () => {
    fc.assert(
      fc.property(hits, evidence, (some, wanted) => {
        const one = measure({ evidence: wanted }, seen(some), [1, 8]);
        expect(one.mrr === 1).toBe((one["recall@1"] ?? 0) > 0);
        expect(one.mrr === 0).toBe(one["recall@8"] === 0);
      }),
    );
  });
});
