/** A stream of the process that is written to, or one of a test. */
export interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}
