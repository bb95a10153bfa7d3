/** In which spaces is a question asked? The built-in embedder has one for each language; most have one for all. */
import { z } from "zod";
import type { Vector } from "../../base/vector.ts";
import type { QuerySpaces, QueryVector } from "../../models/local/embedder-set.ts";

export const spacesSchema = z
  .enum(["native", "all"])
  .describe(
    "native: only spaces made for the question's language, or all where there is none; all: every space.",
  );

/** What to ask an embedder for, so that it makes no vector that `inSpaces` would leave out. */
export function wantedSpaces(spaces: z.infer<typeof spacesSchema>): QuerySpaces | undefined {
  return spaces === "native" ? "native" : undefined;
}

export function inSpaces(vectors: readonly QueryVector[], spaces: z.infer<typeof spacesSchema>): Vector[] {
  const native = vectors.filter((vector) => vector.native);
  const chosen = spaces === "all" || native.length === 0 ? vectors : native;
  return chosen.map(({ space, values }) => ({ space, values }));
}
