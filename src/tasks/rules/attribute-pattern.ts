/** One way to state an attribute. Groups: entity, value, and attribute where it is not fixed; `not` if it may be denied. */
export interface AttributePattern {
  readonly pattern: RegExp;
  readonly attribute?: string;
  /** For opinions: what the verb says of its object, which is then the attribute. */
  readonly opinion?: "positive" | "negative";
}
