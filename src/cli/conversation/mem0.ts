/**
 * What mem0 lists or exports: {"results": [{"id", "memory", "user_id", "created_at", "categories", …}]}, the list alone, or a
 * memory per line. Each is a memory that was judged already, and stays as it is worded; its categories are its tags. Nobody
 * said of them that they must never be forgotten, so none is pinned.
 */
import { z } from "zod";
import { jsonObjectSchema } from "../../base/json.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { NewTurn } from "../../base/turn.ts";
import { judgedTurn } from "../../runtime/judged-memory.ts";
import { type Conversation, SOURCE_ID } from "./conversation.ts";
import { foreignName, foreignText } from "./foreign-text.ts";
import { readJsonLine } from "./json-line.ts";
import { readMoment } from "./moment.ts";

const memorySchema = z.object({
  id: z.string().nullish(),
  memory: z.string(),
  user_id: z.string().nullish(),
  created_at: z.string().nullish(),
  categories: z.array(z.string()).nullish(),
  metadata: jsonObjectSchema.nullish(),
});
type Mem0Memory = z.infer<typeof memorySchema>;

const pageSchema = z.object({ results: z.unknown(), memories: z.unknown() }).partial();

/** `whole`: the file as one JSON value, if it is one; `name`: the memories' session. */
export function readMem0(text: string, whole: unknown, file: string, name: string): Conversation[] {
  const memories = whole === undefined ? linesOf(text, file) : listOf(whole, file);
  return [{ name: "", turns: memories.flatMap((memory) => turnOf(memory, name)) }];
}

function listOf(whole: unknown, file: string): Mem0Memory[] {
  const what = `mem0 export ${file}`;
  if (Array.isArray(whole)) return parseInput(z.array(memorySchema), whole, what);
  const { results, memories } = parseInput(pageSchema, whole, what);
  return parseInput(z.array(memorySchema), results ?? memories ?? [whole], what);
}

function linesOf(text: string, file: string): Mem0Memory[] {
  return text.split(/\r?\n/).flatMap((line, place) => {
    if (line.trim() === "") return [];
    const where = `memory in ${file}:${place + 1}`;
    return [parseInput(memorySchema, readJsonLine(line, where, '{"memory": "Likes tea", …}'), where)];
  });
}

function turnOf(memory: Mem0Memory, session: string): NewTurn[] {
  const judgment = foreignText(memory.memory);
  if (judgment === "") return [];
  const turn = judgedTurn({
    judgment,
    type: "knowledge",
    tags: (memory.categories ?? []).map(foreignName).filter((tag) => tag !== ""),
    pinned: false,
    happenedAt: readMoment(memory.created_at ?? ""),
    session,
    speaker: foreignName(memory.user_id ?? ""),
  });
  const source = memory.id == null ? {} : { [SOURCE_ID]: memory.id };
  const beside = memory.metadata == null ? {} : { mem0: memory.metadata };
  return [{ ...turn, metadata: { ...turn.metadata, ...beside, ...source } }];
}
