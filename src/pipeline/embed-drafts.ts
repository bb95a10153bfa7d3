/**
 * Gives every draft the vector of its content, all in one call; a service without vectors asks for none, and what joins no
 * index needs none.
 */
import type { Vector } from "../base/vector.ts";
import type { MemoryService } from "../services/service.ts";
import type { Draft } from "./draft.ts";

export async function embedDrafts(
  drafts: readonly Draft[],
  service: Pick<MemoryService, "traits">,
  embed: (texts: readonly string[]) => Promise<(Vector | undefined)[]>,
): Promise<readonly Draft[]> {
  if (!service.traits.abilities.includes("vector")) return drafts;
  // A vector of another field has "#" and the field's name at the end of its space.
  const bare = drafts.filter(
    ({ vectors, insertParams }) =>
      vectors.every(({ space }) => space.includes("#")) && insertParams.targetIndexes?.length !== 0,
  );
  if (bare.length === 0) return drafts;
  const made = await embed(bare.map(({ embedText, content }) => embedText ?? content));
  const vectorOf = new Map(bare.map((draft, place) => [draft, made[place]]));
  return drafts.map((draft) => {
    const vector = vectorOf.get(draft);
    return vector === undefined ? draft : { ...draft, vectors: [...draft.vectors, vector] };
  });
}
