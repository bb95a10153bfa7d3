/** The vectors that drafts are compared by: of what is embedded of each, made in one call, and kept for whoever stores them. */
import type { Vector } from "../../../base/vector.ts";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";

export interface DraftVectors {
  /** For all drafts at once. */
  make(drafts: readonly Draft[]): Promise<void>;
  /** Undefined where nobody reads its language. */
  of(draft: Draft): Promise<Vector | undefined>;
  /** The draft with the vector that was made for it, so that nobody makes it again. */
  keep(draft: Draft): Draft;
}

export function createVectors({ embed }: Pick<PreInsertContext, "embed">): DraftVectors {
  const made = new Map<string, Vector | undefined>();
  const make = async (drafts: readonly Draft[]): Promise<void> => {
    const bare = drafts.filter((draft) => ownVector(draft) === undefined).map(embeddedText);
    const texts = [...new Set(bare)].filter((text) => !made.has(text));
    if (texts.length === 0) return;
    const vectors = await embed(texts);
    for (const [place, text] of texts.entries()) made.set(text, vectors[place]);
  };
  const find = (draft: Draft): Vector | undefined => ownVector(draft) ?? made.get(embeddedText(draft));
  return {
    make,
    async of(draft) {
      await make([draft]);
      return find(draft);
    },
    keep(draft) {
      const vector = find(draft);
      if (vector === undefined || ownVector(draft) !== undefined) return draft;
      return { ...draft, vectors: [...draft.vectors, vector] };
    },
  };
}

function embeddedText({ embedText, content }: Draft): string {
  return embedText ?? content;
}

/** A vector of another field has "#" and the field's name in its space. */
function ownVector({ vectors }: Draft): Vector | undefined {
  return vectors.find(({ space }) => !space.includes("#"));
}
