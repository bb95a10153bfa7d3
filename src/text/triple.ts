/** One fact as subject, relation and object. */
export interface Triple {
  readonly subject: string;
  /** The verb as said, with its negation and preposition: "doesn't live in", 不喜欢. */
  readonly relation: string;
  readonly object: string;
}
