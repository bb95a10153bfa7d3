/** Somebody or something that a text has named, and that a later "she", "it" or "there" may mean. */
export interface Referent {
  /** As it can be said anywhere: "Ella", "Jake's uncle", "the piano", "Lisbon". */
  readonly text: string;
  readonly kind: "person" | "group" | "thing" | "place";
  /** Where the text tells: "sister", "Ella", 姐姐. */
  readonly gender: "female" | "male" | null;
  /** Where its name ends in the text, so that only what follows can mean it. */
  readonly end: number;
  /** Of a person: whether the speaker is said to be together with them, so that "we" may mean both. */
  readonly isCompany?: boolean | undefined;
}

export interface ReferentOptions {
  /** Who says it: "my uncle" is this one's. */
  readonly speaker: string;
  /** Persons of the talk; they are known to be persons, and the speaker is never "she". */
  readonly speakers: readonly string[];
}
