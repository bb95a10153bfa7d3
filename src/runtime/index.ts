/** What a user calls: from the journal to memories, and anew for another design. */
export { appendTurns } from "../pipeline/journal.ts";
export { type Derived, type DeriveOptions, derive, type WindowDone, waitingTurns } from "./derive.ts";
export { rebuild } from "./rebuild.ts";
