/** Who talks to whom. */
export interface Speakers {
  readonly speaker: string;
  /** Whom the speaker talks to; without it "you" stays. */
  readonly listener?: string | undefined;
}
