/** What a rule says of a draft, and what it is given to judge by. */
import type { Vector } from "../../../base/vector.ts";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";

export interface Failure {
  /** What is wrong, in a sentence without the text itself. */
  readonly problem: string;
  /** The draft put right, where a rule can do that. */
  readonly repaired?: Draft | undefined;
}

export interface Judging {
  readonly context: PreInsertContext;
  /** Drafts of the same packet that were let through before. */
  readonly passed: readonly Draft[];
  /** The vector of what is embedded of a draft, made once. */
  vectorOf(draft: Draft): Promise<Vector | undefined>;
}
