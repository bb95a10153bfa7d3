/**
 * What is known about the user by now? MemoryOS rewrites the profile from the old one and new pages, and collects facts
 * about the user and knowledge that the assistant showed. An empty or lost profile never takes the old one's place
 * (mastra#14424: a shorter object wiped the data).
 */
import { z } from "zod";
import { joinLines, linesSchema, printLines } from "./dialogue.ts";
import { dialogueFacts } from "./local/dialogue-facts.ts";
import { personaOf } from "./local/persona.ts";
import { distinctTexts, sentencesForm } from "./reply-forms.ts";
import { contentWords, overlapOf } from "./rules/statement.ts";
import { defineTask } from "./task.ts";

export const updateProfile = defineTask({
  name: "update_profile",
  summary:
    "The user's whole profile, taken on from the old one, new facts about the user, and knowledge the assistant showed.",
  fallback:
    "The old profile with the user's new traits and preferences added; what both sides say of themselves as facts.",
  input: z.object({
    /** The profile so far; "" if there is none. */
    profile: z.string().default(""),
    user: z.string(),
    /** Who answers; their statements are the assistant's knowledge. */
    assistant: z.string(),
    lines: linesSchema,
  }),
  reply: z.object({
    profile: z.string(),
    user_facts: sentencesForm,
    assistant_knowledge: sentencesForm,
  }),
  prompt: "update_profile",
  placeholders: ["profile", "user", "assistant", "dialogue"],
  fill: (input) => ({
    profile: input.profile,
    user: input.user,
    assistant: input.assistant,
    dialogue: printLines(input.lines),
  }),
  about: (input) => joinLines(input.lines),
  local: async ({ profile, user, assistant, lines }) => {
    const traits = await personaOf(user, lines);
    const known = profile.split("\n").filter((line) => line.trim() !== "");
    const added = traits
      .filter(({ kind, text }) => kind !== "fact" && !isIn(text, known))
      .map(({ text }) => text);
    const facts = await dialogueFacts(lines);
    // Short ones are comfort and praise; one that does not name who said it is about the world.
    const told = facts.filter(
      ({ text, speaker }) => contentWords(text).size >= TELLING && text.includes(speaker),
    );
    const of = (speaker: string): string[] =>
      told.filter((fact) => fact.speaker === speaker).map(({ text }) => text);
    return {
      profile: [...known, ...added].join("\n"),
      user_facts: distinctTexts([
        ...traits.filter(({ kind }) => kind === "fact").map(({ text }) => text),
        ...of(user).filter((text) => !traits.some((trait) => trait.text === text)),
      ]),
      assistant_knowledge: assistant === user ? [] : of(assistant),
    };
  },
  problems: (reply, { profile }) =>
    isWiped(reply.profile, profile)
      ? ['"profile" must hold the whole profile, with everything in the old one that still holds.']
      : [],
  spoken: (reply) => [reply.profile, ...reply.user_facts],
});

function isIn(text: string, known: readonly string[]): boolean {
  const words = contentWords(text);
  return known.some((line) => overlapOf(words, contentWords(line)).ofFirst === 1);
}

/** Less than a third of a profile that said something: rather lost than rewritten. */
function isWiped(profile: string, old: string): boolean {
  return old.trim().length >= SHORTEST && profile.trim().length < old.trim().length / 3;
}

const SHORTEST = 30;
/** Content words of a sentence that is worth knowing by itself. */
const TELLING = 6;
