/** Who does what to what? Open information extraction around the entities of a text (HippoRAG, Mem0ᵍ, TiM). */
import { z } from "zod";
import { findTriples } from "../text/triples.ts";
import { momentSchema, printItems } from "./dialogue.ts";
import { restate } from "./local/restate.ts";
import { textForm } from "./reply-forms.ts";
import { defineTask } from "./task.ts";

const tripleSchema = z.preprocess(
  fromOtherForms,
  z.object({ subject: textForm, relation: textForm, object: textForm }),
);

export const extractTriples = defineTask({
  name: "extract_triples",
  summary:
    "The subject–relation–object triples that a text states, around its entities, with pronouns resolved.",
  fallback: "Patterns over tagged words, after names took the place of the speakers' pronouns.",
  input: z.object({
    text: z.string(),
    /** Entities that were found in the text; each triple should hold one. */
    entities: z.array(z.string()).default([]),
    /** Who "I" and "you" are. */
    speaker: z.string().optional(),
    listener: z.string().optional(),
    happenedAt: momentSchema.optional(),
    zone: z.string().nullish(),
  }),
  reply: z.object({ triples: z.preprocess(wholeOnes, z.array(tripleSchema)) }),
  prompt: "extract_triples",
  placeholders: ["text", "entities"],
  // Who speaks and when is worked in before anybody is asked, so that both paths read the same text.
  fill: ({ text, entities, ...talk }) => ({
    text: restate(text, talk),
    entities: printItems(entities),
  }),
  about: (input) => input.text,
  local: async ({ text, ...talk }) => {
    const found = await findTriples(restate(text, talk));
    const whole = found.map(({ subject, relation, object }) => ({
      subject: subject.trim(),
      relation: relation.trim(),
      object: object.trim(),
    }));
    return { triples: whole.filter((triple) => Object.values(triple).every((part) => part !== "")) };
  },
  spoken: ({ triples }) => triples.map(({ subject, relation, object }) => `${subject} ${relation} ${object}`),
});

/** Models write a list of two or four now and then: HippoRAG drops it, and the others are still good. */
function wholeOnes(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.filter(
    (one) =>
      !Array.isArray(one) || (one.length === 3 && one.every((part) => String(part ?? "").trim() !== "")),
  );
}

const asList = z.tuple([z.string(), z.string(), z.string()]);
const asGraph = z.object({ source: z.string(), relationship: z.string(), destination: z.string() });
const asThought = z.object({ head: z.string(), relation: z.string(), tail: z.string() });

/** The forms of the published systems: a list of three, Mem0's source and destination, TiM's head and tail. */
function fromOtherForms(value: unknown): unknown {
  const list = asList.safeParse(value);
  if (list.success) return { subject: list.data[0], relation: list.data[1], object: list.data[2] };
  const graph = asGraph.safeParse(value);
  if (graph.success) {
    return { subject: graph.data.source, relation: graph.data.relationship, object: graph.data.destination };
  }
  const thought = asThought.safeParse(value);
  return thought.success
    ? { subject: thought.data.head, relation: thought.data.relation, object: thought.data.tail }
    : value;
}
