/** What one look at the patient found, and what to do about it. */
import type { Words } from "../words.ts";

export interface Finding {
  readonly name: string;
  readonly state: "ok" | "warn" | "fail";
  readonly found: Words;
  /** What to do; unsaid: nothing. */
  readonly remedy?: Words | undefined;
}

/** The same in both languages: a number, a name, somebody else's sentence. */
export function same(text: string): Words {
  return { en: text, zh: text };
}

/** A look that threw has found something, too. */
export async function look(name: string, remedy: Words, run: () => Promise<Finding>): Promise<Finding> {
  try {
    return await run();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name, state: "fail", found: same(why), remedy };
  }
}
