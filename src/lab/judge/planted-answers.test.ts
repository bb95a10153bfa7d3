import { expect, test } from "vitest";
import { type Planted, plantAnswers } from "./planted-answers.ts";

const line = (question: string, text: string, category: string, ...answers: string[]) => ({
  ...{ case: "c1", question, text, category, answers },
  expects: "answer" as const,
});
const LINES = [
  line("q1", "Where did Mia move?", "4", "Rome"),
  line("q2", "Where does Mia's aunt live?", "4", "in Rome, Italy"),
  line("q3", "What does Ben bake?", "4", "almond cake"),
  line("q4", "When did Mia adopt Pip?", "2", "7 May 2023"),
  line("q5", "王芳周末吃了什么？", "4", "火锅"),
  line("q6", "Does Ben like tea?", "4", "Yes"),
  {
    ...line("q7", "What did Ben buy in Oslo?", "5"),
    expects: "abstain" as const,
    trap: "a red scarf",
  },
  // The label says that the trap is true, too: nothing wrong can be planted with it.
  {
    ...line("q8", "What did Mia buy in Oslo?", "5", "a red scarf"),
    expects: "abstain" as const,
    trap: "a red scarf",
  },
  line("q9", "What did the garden smell of?", "9"),
];

const by = (plants: readonly Planted[], rule: string) => plants.filter((plant) => plant.rule === rule);

test("wrong answers are made by rule, each against what is right", () => {
  const plants = plantAnswers(LINES, 100, 7);
  expect(by(plants, "trap")).toEqual([
    {
      ...{ rule: "trap", case: "c1", question: "q7", text: "What did Ben buy in Oslo?" },
      ...{ reference: "No information available.", answer: "a red scarf" },
    },
  ]);
  expect(by(plants, "shifted_date")).toMatchObject([
    { question: "q4", reference: "7 May 2023", answer: "16 June 2023" },
  ]);
  // Of another category there is no other answer for q4; nothing is planted where no right answer is known.
  expect(
    by(plants, "other_answer")
      .map(({ question }) => question)
      .sort(),
  ).toEqual(["q1", "q2", "q3", "q5", "q6"]);
  expect(plants.some(({ question }) => question === "q9")).toBe(false);
});

test("another question's answer is never right here, and never a bare yes", () => {
  for (let seed = 0; seed < 40; seed++) {
    const others = by(plantAnswers(LINES, 100, seed), "other_answer");
    const given = (question: string) => others.find((plant) => plant.question === question)?.answer;
    expect(["almond cake", "火锅"]).toContain(given("q1"));
    expect(["almond cake", "火锅"]).toContain(given("q2"));
    expect(others.map(({ answer }) => answer)).not.toContain("Yes");
  }
});

test("a vague answer speaks of the topic and holds no right answer, in both languages", () => {
  const vague = by(plantAnswers(LINES, 100, 7), "vague");
  const answers = Object.fromEntries(vague.map(({ question, answer }) => [question, answer]));
  expect(answers.q3).toMatch(/^Something that has to do with .*Ben/);
  expect(answers.q5).toMatch(/^与.*有关的一些事情。$/);
  for (const { answer, reference } of vague) expect(answer).not.toContain(reference);
});

test("few are shared evenly among the rules, the same for the same seed only", () => {
  const plants = plantAnswers(LINES, 4, 7);
  expect(plants.map(({ rule }) => rule)).toEqual(["other_answer", "vague", "shifted_date", "trap"]);
  expect(plantAnswers(LINES, 4, 7)).toEqual(plants);
  const others = Array.from({ length: 10 }, (_, seed) => JSON.stringify(plantAnswers(LINES, 4, seed)));
  expect(new Set(others).size).toBeGreaterThan(1);
  expect(plantAnswers(LINES, 0, 7)).toEqual([]);
  expect(plantAnswers([], 10, 7)).toEqual([]);
});
