/** A client stands wherever a memory's verbs are asked for, and a memory wherever a client's are: held by the compiler. */
import { expectTypeOf, test } from "vitest";
import type { ForgettingMemory } from "../adapters/ai-sdk/memory-tools.ts";
import type { ChatMemory } from "../adapters/chat-memory.ts";
import type { StoreMemory } from "../adapters/langgraph/item-shelf.ts";
import type { Memory } from "../runtime/memory.ts";
import type { MemoryClient } from "./index.ts";

/** Whose answers are the same; a memory's own status has more, and its rebuild may go over to another design. */
type Same = Exclude<keyof MemoryClient & keyof Memory, "in" | "scope" | "status" | "rebuild">;

test("the types fit both ways", () => {
  expectTypeOf<MemoryClient>().toExtend<ChatMemory & ForgettingMemory & StoreMemory>();
  expectTypeOf<Memory>().toExtend<ChatMemory & ForgettingMemory & StoreMemory>();
  expectTypeOf<Memory>().toExtend<Pick<MemoryClient, Same>>();
  expectTypeOf<Parameters<MemoryClient["remember"]>>().toEqualTypeOf<Parameters<Memory["remember"]>>();
  expectTypeOf<Parameters<MemoryClient["recall"]>>().toEqualTypeOf<Parameters<Memory["recall"]>>();
  expectTypeOf<Parameters<MemoryClient["import"]>>().toEqualTypeOf<Parameters<Memory["import"]>>();
  expectTypeOf<keyof Memory>().exclude<"preset" | "running">().toExtend<keyof MemoryClient>();
});
