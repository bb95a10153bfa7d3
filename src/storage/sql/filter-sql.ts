/**
 * The part of a filter that SQL can decide cheaply and in both engines alike: comparisons of columns, joined by AND.
 * It narrows, it does not decide: what comes back is a superset, and the evaluator of base/filter.ts has the last word.
 */
import type { Filter } from "../../base/filter.ts";
import type { SqlValue } from "./driver.ts";

/** Text columns compare for equality only: engines order text differently. */
const TEXT: Readonly<Record<string, string>> = {
  id: "id",
  kind: "memory_type",
  tier: "tier",
  contentHash: "content_hash",
  supersededBy: "superseded_by",
};
const NUMBER: Readonly<Record<string, string>> = {
  happenedAt: "happened_at",
  recordedAt: "recorded_at",
  lastAccessAt: "last_access_at",
  accessCount: "access_count",
  usefulCount: "useful_count",
  importance: "importance",
  strength: "strength",
};

export interface Narrowing {
  /** "" or " AND …". */
  readonly text: string;
  readonly params: readonly SqlValue[];
}

export function narrowSql(filter: Filter): Narrowing {
  const conditions: string[] = [];
  const params: SqlValue[] = [];
  collect(filter, conditions, params);
  return { text: conditions.map((condition) => ` AND ${condition}`).join(""), params };
}

function collect(filter: Filter, conditions: string[], params: SqlValue[]): void {
  if (filter.op === "and") {
    for (const part of filter.filters) collect(part, conditions, params);
  } else if (filter.op === "eq") {
    const { field, value } = filter;
    const column =
      (typeof value === "string" ? TEXT[field] : undefined) ??
      (typeof value === "number" ? NUMBER[field] : undefined);
    if (column !== undefined && (typeof value === "string" || typeof value === "number")) {
      conditions.push(`${column} = ?`);
      params.push(value);
    } else if (field === "supersededBy" && value === null) {
      conditions.push("superseded_by IS NULL");
    }
  } else if (filter.op === "range") {
    const column = NUMBER[filter.field];
    if (column === undefined) return;
    for (const [bound, sign] of [
      [filter.gt, ">"],
      [filter.gte, ">="],
      [filter.lt, "<"],
      [filter.lte, "<="],
    ] as const) {
      if (typeof bound !== "number") continue;
      conditions.push(`${column} ${sign} ?`);
      params.push(bound);
    }
  }
}
