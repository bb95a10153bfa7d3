/** How do a new note and its neighbours change each other? The evolution step of A-MEM. */
import { z } from "zod";
import { oneLine, printNumbered } from "./dialogue.ts";
import {
  distinctTexts,
  flagForm,
  numbersOrNoneForm,
  termsForm,
  termsOrNoneForm,
  unknownNumbers,
} from "./reply-forms.ts";
import { contentWords, overlapOf } from "./rules/statement.ts";
import { defineTask } from "./task.ts";

const noteSchema = z.object({
  content: z.string(),
  context: z.string(),
  keywords: z.array(z.string()).default([]),
  tags: z.array(z.string()).default([]),
});
type Note = z.infer<typeof noteSchema>;

const ACTIONS = ["strengthen", "update_neighbor"] as const;

const replySchema = z.object({
  should_evolve: flagForm,
  actions: z.preprocess((value) => value ?? [], z.array(z.enum(ACTIONS))),
  /** Numbers of the neighbours to link to. */
  suggested_connections: numbersOrNoneForm,
  /** The new note's tags from now on. */
  tags_to_update: termsOrNoneForm,
  /** Each neighbour's context and tags from now on, in the neighbours' order; those beyond the end stay as they are. */
  new_context_neighborhood: z.preprocess((value) => value ?? [], z.array(z.string())),
  new_tags_neighborhood: z.preprocess((value) => value ?? [], z.array(termsForm)),
});
type Reply = z.infer<typeof replySchema>;

const UNCHANGED: Reply = {
  should_evolve: false,
  actions: [],
  suggested_connections: [],
  tags_to_update: [],
  new_context_neighborhood: [],
  new_tags_neighborhood: [],
};

export const evolveNote = defineTask({
  name: "evolve_note",
  summary:
    "Whether a new note is to be linked to some of its neighbours, and how its tags and theirs change by it.",
  fallback: "Links to neighbours that share enough words; tags that two linked notes share spread to both.",
  input: z.object({ note: noteSchema, neighbours: z.array(noteSchema) }),
  reply: replySchema,
  prompt: "evolve_note",
  placeholders: ["note", "neighbours"],
  fill: ({ note, neighbours }) => ({
    note: printNote(note),
    neighbours: printNumbered(neighbours.map(printNote)),
  }),
  about: (input) => input.note.content,
  obvious: (input) => (input.neighbours.length === 0 ? UNCHANGED : undefined),
  local: ({ note, neighbours }) => evolve(note, neighbours),
  problems: (reply, { neighbours }) => {
    const wrong = unknownNumbers(reply.suggested_connections, neighbours.length, "neighbour");
    if (!reply.actions.includes("update_neighbor")) return wrong;
    const lists = [reply.new_context_neighborhood, reply.new_tags_neighborhood];
    // A shorter list is about the first ones; the others stay as they are.
    const fits = lists.every((list) => list.length <= neighbours.length);
    return fits
      ? wrong
      : [
          ...wrong,
          `"new_context_neighborhood" and "new_tags_neighborhood" have at most one entry for each of the ${neighbours.length} neighbours.`,
        ];
  },
  // What is not to happen is not carried along.
  settle: (reply) => (reply.should_evolve ? reply : UNCHANGED),
  spoken: (reply) => reply.new_context_neighborhood,
});

function evolve(note: Note, neighbours: readonly Note[]): Reply {
  const words = wordsOf(note);
  const linked = neighbours.flatMap((one, number) => {
    const { shared, ofFirst, ofSecond } = overlapOf(words, wordsOf(one));
    return shared >= FEWEST && Math.max(ofFirst, ofSecond) >= RELATED ? [number] : [];
  });
  if (linked.length === 0) return UNCHANGED;
  const common = linked.flatMap((number) => neighbours[number]?.tags ?? []).filter((tag) => says(note, tag));
  const tagsOf = (one: Note, number: number): string[] => {
    const gained = linked.includes(number) ? note.tags.filter((tag) => says(one, tag)) : [];
    return distinctTexts([...one.tags, ...gained]);
  };
  return {
    should_evolve: true,
    actions: ["strengthen", "update_neighbor"],
    suggested_connections: linked,
    tags_to_update: distinctTexts([...note.tags, ...common]),
    new_context_neighborhood: neighbours.map((one) => one.context),
    new_tags_neighborhood: neighbours.map(tagsOf),
  };
}

/** Shared words that make two notes neighbours: so many, and such a part of the shorter one's. */
const FEWEST = 2;
const RELATED = 0.25;

function wordsOf({ content, context, keywords, tags }: Note): ReadonlySet<string> {
  return contentWords([content, context, ...keywords, ...tags].join("\n"));
}

/** Whether a note itself speaks of what a tag names. */
function says(note: Note, tag: string): boolean {
  return (
    overlapOf(contentWords(tag), contentWords(`${note.content}\n${note.keywords.join("\n")}`)).ofFirst === 1
  );
}

function printNote({ content, context, keywords, tags }: Note): string {
  return oneLine(
    `${content} (context: ${context}; keywords: ${keywords.join(", ")}; tags: ${tags.join(", ")})`,
  );
}
