/** Which vector spaces has a collection ever had? An embedder that came later has its own, and the older ones stay. */
import { CONTENT } from "../services/vector-fields.ts";
import type { Storage } from "../storage/storage.ts";

export async function knownSpaces(storage: Storage, collection: string): Promise<string[]> {
  const record = (await storage.collections()).find(({ name }) => name === collection);
  const spaces = (record?.indexes ?? []).map(({ options }) => options.space);
  return [...new Set(spaces.filter((space) => typeof space === "string"))];
}

/** Which of an entry's vectors are kept in the space. */
export function fieldOf(space: string): string {
  return space.split("#")[1] ?? CONTENT;
}
