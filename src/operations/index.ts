/** Which calls exist? One line each: every door is made from this table. */
import type { Operation } from "./operation.ts";
import { askOperation } from "./rows/ask.ts";
import { chainedRecallOperation } from "./rows/chained-recall.ts";
import { changesOperation } from "./rows/changes.ts";
import { comprehensiveRecallOperation } from "./rows/comprehensive-recall.ts";
import { consolidateOperation } from "./rows/consolidate.ts";
import { contextOperation } from "./rows/context.ts";
import { estimateOperation } from "./rows/estimate.ts";
import { exportOperation } from "./rows/export.ts";
import { feedbackOperation } from "./rows/feedback.ts";
import { flushOperation } from "./rows/flush.ts";
import { forgetOperation } from "./rows/forget.ts";
import { getOperation } from "./rows/get.ts";
import { historyOperation } from "./rows/history.ts";
import { importOperation } from "./rows/import.ts";
import { listOperation } from "./rows/list.ts";
import { rebuildOperation } from "./rows/rebuild.ts";
import { recallOperation } from "./rows/recall.ts";
import { recordOperation } from "./rows/record.ts";
import { reembedOperation } from "./rows/reembed.ts";
import { rememberOperation } from "./rows/remember.ts";
import { statusOperation } from "./rows/status.ts";
import { undoOperation } from "./rows/undo.ts";

export const OPERATIONS: readonly Operation[] = [
  rememberOperation,
  recordOperation,
  recallOperation,
  comprehensiveRecallOperation,
  chainedRecallOperation,
  askOperation,
  contextOperation,
  feedbackOperation,
  getOperation,
  listOperation,
  historyOperation,
  changesOperation,
  undoOperation,
  forgetOperation,
  flushOperation,
  consolidateOperation,
  rebuildOperation,
  reembedOperation,
  estimateOperation,
  statusOperation,
  exportOperation,
  importOperation,
];

export type {
  Call,
  CallOperation,
  Effect,
  LinesInOperation,
  LinesOutOperation,
  Operation,
  Route,
} from "./operation.ts";
export type { Words } from "./words.ts";
