import { expect, test } from "vitest";
import type { Line } from "../dialogue.ts";
import { dialogueFacts } from "./dialogue-facts.ts";

const AT = Date.parse("2023-06-13T19:00:00Z");
const said = (speaker: string, text: string): Line => ({
  speaker,
  text,
  captions: [],
  happenedAt: AT,
  zone: "UTC",
});
const facts = async (...lines: readonly Line[]) => (await dialogueFacts(lines)).map(({ text }) => text);

test("[S2-6] across lines a name is taken if no other can be meant", async () => {
  const told = await facts(
    said("Nora", "My sister Ella moved to Lisbon."),
    said("Jake", "I have never been there in spring."),
    said("Nora", "I am going to visit her next month."),
  );
  expect(told).toEqual([
    "Nora's sister Ella moved to Lisbon.",
    "Jake has never been to Lisbon in spring.",
    "Nora is going to visit Ella in July 2023.",
  ]);
  const two = await facts(
    said("Nora", "My sister Ella met Anna."),
    said("Jake", "Nice weather in Rome today."),
    said("Nora", "She works at a bank."),
  );
  expect(two.at(-1)).toBe("She works at a bank.");
});

test("[S2-6] among several, whoever is called by name is you", async () => {
  const lines = [said("Tom", "The charts are done."), said("Priya", "Great work on the charts.")];
  expect(await facts(...lines, said("Lena", "Tom, I will send you the summary."))).toContain(
    "Tom, Lena will send Tom the summary.",
  );
  expect((await facts(...lines, said("Lena", "I will send you the summary."))).at(-1)).toBe(
    "Lena will send you the summary.",
  );
});

test("[S2-10] a proposal says who makes it to whom", async () => {
  expect(await facts(said("Ada", "Let's meet at the Blue Door on Sunday."), said("Ben", "Sure!"))).toEqual([
    "Ada proposes to Ben to meet at the Blue Door on 18 June 2023.",
  ]);
});

test("[S2-7] what can be and what will be is not in the past", async () => {
  const told = await facts(
    said("Mia", "My uncle could repair the roof on Friday."),
    said("Mia", "Paul and Irene are getting married in October."),
    said("小美", "王刚和李梅十月要结婚了。"),
  );
  expect(told).toEqual([
    "Mia's uncle could repair the roof on 16 June 2023.",
    "Paul and Irene are getting married in October 2023.",
    "王刚和李梅2023年10月要结婚了。",
  ]);
});
