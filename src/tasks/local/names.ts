/** The names in a text by what they name, each once, trimmed: the form in which replies list them. */
import { findEntities } from "../../text/entities.ts";
import type { EntityKind } from "../../text/entity.ts";
import { distinctTexts } from "../reply-forms.ts";

export interface Names {
  readonly all: readonly string[];
  readonly persons: readonly string[];
  readonly places: readonly string[];
  /** Organisations, products, events, and whatever else has a name. */
  readonly others: readonly string[];
}

/** `persons` are names that are known to be persons'. */
export async function namesIn(text: string, persons: readonly string[] = []): Promise<Names> {
  const found = await findEntities(text, { persons });
  const of = (...kinds: readonly EntityKind[]): string[] =>
    distinctTexts(found.filter(({ kind }) => kinds.includes(kind)).map((entity) => entity.text));
  return {
    all: distinctTexts(found.map((entity) => entity.text)),
    persons: of("person"),
    places: of("place"),
    others: of("organisation", "product", "event", "other"),
  };
}
