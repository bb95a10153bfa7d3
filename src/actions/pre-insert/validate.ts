/**
 * Lets through what may be remembered (S0-31, S0-92). A draft that breaks a rule is left out, kept with a remark
 * (`metadata.validation`), put right where the rule can do that, or refused with an error that stops the insert.
 */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import { type Claims, defineAction } from "../../pipeline/action.ts";
import type { Draft } from "../../pipeline/draft.ts";
import { blacklistRule, checkBlacklist } from "./validate/blacklist.ts";
import { checkDuplicate, duplicateRule, needsVectors } from "./validate/duplicate.ts";
import { checkLanguage, languageRule } from "./validate/language.ts";
import { checkLength, lengthRule } from "./validate/length.ts";
import type { Failure, Judging } from "./validate/rule.ts";
import { createVectors } from "./validate/vectors.ts";

const ruleSchema = z.discriminatedUnion("rule", [lengthRule, languageRule, blacklistRule, duplicateRule]);
type Rule = z.infer<typeof ruleSchema>;

const options = z.strictObject({
  validation_rules: z.array(ruleSchema).min(1).describe("The rules, in the order they are asked."),
  on_fail: z
    .enum(["skip", "warn", "error", "transform"])
    .describe(
      "What happens to a draft that breaks a rule: skip leaves it out, warn keeps it with a remark, error stops the insert, transform cuts or masks it, and leaves out what cannot be put right.",
    ),
});
type Options = z.infer<typeof options>;

export const validate = defineAction({
  stage: "pre_insert",
  name: "validate",
  summary: "Lets through what may be remembered: by length, language, forbidden words and duplicates.",
  options,
  aliases: { rules: "validation_rules" },
  claims: ({ validation_rules }) => claimsOf(validation_rules),
  async run({ drafts }, context, given) {
    const passed: Draft[] = [];
    const broken: { rule: string; problem: string }[] = [];
    const vectors = createVectors(context);
    if (given.validation_rules.some(comparesVectors)) await vectors.make(drafts);
    for (const draft of drafts) {
      const left = await judge(
        draft,
        given,
        { context, passed, vectorOf: vectors.of },
        (rule, { problem }) => {
          broken.push({ rule, problem });
        },
      );
      if (left !== undefined) passed.push(left);
    }
    if (broken.length > 0) context.note("broken_rules", broken);
    return passed.map(vectors.keep);
  },
});

function comparesVectors(rule: Rule): boolean {
  return rule.rule === "duplicate" && needsVectors(rule);
}

/** What is left of a draft; undefined if nothing. */
async function judge(
  draft: Draft,
  { validation_rules, on_fail }: Options,
  judging: Judging,
  report: (rule: string, failure: Failure) => void,
): Promise<Draft | undefined> {
  let left = draft;
  const remarks: string[] = [];
  for (const rule of validation_rules) {
    const failure = await check(left, rule, judging);
    if (failure === undefined) continue;
    report(rule.rule, failure);
    if (on_fail === "error") throw refused(rule, failure);
    if (on_fail === "skip") return undefined;
    if (on_fail === "warn") remarks.push(`${rule.rule}: ${failure.problem}`);
    else if (failure.repaired === undefined || failure.repaired.content.trim() === "") return undefined;
    else left = failure.repaired;
  }
  return remarks.length === 0 ? left : { ...left, metadata: { ...left.metadata, validation: remarks } };
}

async function check(draft: Draft, rule: Rule, judging: Judging): Promise<Failure | undefined> {
  switch (rule.rule) {
    case "length":
      return checkLength(draft, rule);
    case "language":
      return checkLanguage(draft, rule);
    case "blacklist":
      return checkBlacklist(draft, rule);
    case "duplicate":
      return checkDuplicate(draft, rule, judging);
  }
}

function refused({ rule }: Rule, { problem }: Failure): MemoryError {
  return new MemoryError(
    "input_invalid",
    `A memory was refused by the rule "${rule}": it ${problem}. Valid: a text that keeps the rule, or another on_fail than error.`,
    { details: { rule } },
  );
}

function claimsOf(rules: readonly Rule[]): Claims {
  const duplicates = rules.filter((rule) => rule.rule === "duplicate");
  const strategies = duplicates.map((rule) => (rule.match === "exact" ? rule.strategy : "semantic"));
  if (strategies.length === 0) return {};
  return {
    hints: [...new Set(strategies)].map((strategy) => ({ strategy, names: [] })),
    ...(strategies.includes("semantic") ? { abilities: ["vector"], embedder: true } : {}),
  };
}
