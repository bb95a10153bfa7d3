import { describe, expect, test } from "vitest";
import {
  heldIn,
  indexesOf,
  type ServiceTier,
  tierIndexes,
  tierIndexName,
  tierOptions,
  tiersFoundIn,
  timeIndexName,
} from "./tiers.ts";

const tier = (name: string, membership: ServiceTier["membership"]): ServiceTier => ({
  name,
  capacity: null,
  membership,
  indexes: ["queue", "vector", "text"],
});
const held = (tiers: readonly ServiceTier[], name: string): string[] =>
  heldIn(tiers, name).map((one) => one.name);

describe("[C-7] where an entry of a tier is found", () => {
  test("an overlay lies over the tier behind it, overlay over overlay", () => {
    const tiers = [tier("a", "overlay"), tier("b", "overlay"), tier("c", "exclusive")];
    expect(["a", "b", "c"].map((name) => held(tiers, name))).toEqual([["a", "b", "c"], ["b", "c"], ["c"]]);
    expect(tiersFoundIn(tiers, ["b"])).toEqual(["a", "b"]);
    expect(tiersFoundIn(tiers, ["a"])).toEqual(["a"]);
  });

  test("the last one lies over the tier in front, and a single one over nothing", () => {
    const tiers = [tier("a", "exclusive"), tier("b", "exclusive"), tier("c", "overlay")];
    expect(held(tiers, "c")).toEqual(["c", "b"]);
    expect(tiersFoundIn(tiers, ["b"])).toEqual(["b", "c"]);
    expect(held([tier("only", "overlay")], "only")).toEqual(["only"]);
  });
});

test("[C-6] the five vocabularies are options, not code", () => {
  for (const names of [
    ["stm", "mtm", "ltm"],
    ["core", "recall", "archival"],
    ["episodic", "semantic", "procedural"],
    ["L1", "L2", "L3"],
    ["T0", "T1", "T2"],
    ["短期", "中期", "长期"],
  ]) {
    const tiers = names.map((name) => tier(name, "exclusive"));
    expect(tierOptions.parse(tiers)).toEqual(tiers);
    const [first = ""] = names;
    expect(indexesOf(tiers, first, ["x"])).toEqual([
      `${first}-recent`,
      `${first}-v-x`,
      "text",
      timeIndexName(tiers),
    ]);
  }
});

test("every index has a name of its own that a collection accepts, however long the names", () => {
  const spaces = ["text", "a/very long name of an embedder (2026) ".repeat(5), "another/".repeat(12)];
  const fields = [{ name: "content", spaces: spaces.map((space) => ({ space, dimension: 4 })) }];
  const tiers = [tier("x".repeat(32), "exclusive"), tier("x", "exclusive"), tier("xv", "exclusive")];
  const names = tierIndexes(tiers, fields, false).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[\p{L}\p{N}_-]{1,64}$/u);
  for (const { name } of tiers)
    for (const index of indexesOf(tiers, name, spaces)) expect(names).toContain(index);
  expect(tierIndexName("stm", "recent")).toBe("stm-recent");
});
