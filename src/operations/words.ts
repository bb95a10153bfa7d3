/** A sentence of our own, in both languages that we speak. */
export interface Words {
  readonly en: string;
  readonly zh: string;
}
