/** A name in a text, and what it names. */
export const ENTITY_KINDS = ["person", "place", "organisation", "product", "event", "other"] as const;
/** "other" is a name of which nothing tells what it names. */
export type EntityKind = (typeof ENTITY_KINDS)[number];

export interface Entity {
  readonly text: string;
  readonly kind: EntityKind;
  /** Where it first stands in the text. */
  readonly index: number;
}
