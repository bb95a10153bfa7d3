/** A collection under test on some storage, with everything it said on the way. */
import { expect } from "vitest";
import { type Clock, type ManualClock, manualClock } from "../base/clock.ts";
import type { ErrorCode } from "../base/errors.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { TraceEvent } from "../base/trace.ts";
import type { Collection } from "../collection/collection.ts";
import { CollectionManager } from "../collection/collection-manager.ts";
import type { Storage } from "../storage/storage.ts";
import { INDEXES } from "./collection-model.ts";

export interface CollectionSubject {
  readonly name: string;
  create(clock: Clock): Promise<Storage>;
  reopen?(storage: Storage, clock: Clock): Promise<Storage>;
  destroy?(): Promise<void>;
  /** Random sequences compared with the model. @default 25 */
  readonly runs?: number;
}

export const ALICE: Scope = parseScope("alice");
export const BOB: Scope = parseScope("bob");
