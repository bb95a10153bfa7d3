/**
 * The part of a filter that SQL can decide cheaply and in both engines alike: comparisons of columns and of scalars in
 * the metadata, joined by AND and OR.
 * It narrows, it does not decide: what comes back is a superset, and the evaluator of base/filter.ts has the last word.
 */
import type { Filter, Range, Scalar } from "../../base/filter.ts";
import type { SqlValue, SqlWords } from "./driver.ts";
import { pathTo, storedText } from "./metadata-path.ts";

/** Text columns compare for equality only: engines order text differently. */
const TEXT: Readonly<Record<string, string>> = {
  id: "id",
  kind: "memory_type",
  tier: "tier",
  contentHash: "content_hash",
  supersededBy: "superseded_by",
};
/** Integer columns take whole numbers only: engines disagree on the rest, so the evaluator decides it. */
const NUMBER: Readonly<Record<string, string>> = {
  happenedAt: "happened_at",
  recordedAt: "recorded_at",
  lastAccessAt: "last_access_at",
  accessCount: "access_count",
  usefulCount: "useful_count",
  importance: "importance",
  strength: "strength",
};
/** What a field of the metadata begins with. */
const METADATA = "metadata.";

export interface Narrowing {
  /** "" or " AND …". */
  readonly text: string;
  readonly params: readonly SqlValue[];
  /** Whether the SQL decides all of the filter: then nobody needs to look at the rows again. */
  readonly exact: boolean;
}

export function narrowSql(filter: Filter | undefined, words: SqlWords): Narrowing {
  let length = 0;
  const conditions = (filter === undefined ? [] : conditionsOf(filter, words)).map((one) => {
    length += one.text.length;
    return length <= LONGEST ? one : OPEN;
  });
  return {
    text: conditions.map(({ text }) => (text === "" ? "" : ` AND ${text}`)).join(""),
    params: conditions.flatMap(({ params }) => params),
    exact: conditions.every(({ exact }) => exact),
  };
}

/** SQLite takes expressions of a thousand levels, and every AND or OR is one: what is beyond is for the evaluator. */
const LONGEST = 4000;

interface Condition {
  readonly text: string;
  readonly params: readonly SqlValue[];
  readonly exact: boolean;
}

/** Says nothing, and leaves the decision to the evaluator. */
const OPEN: Condition = { text: "", params: [], exact: false };

function conditionsOf(filter: Filter, words: SqlWords): Condition[] {
  switch (filter.op) {
    case "and":
      return filter.filters.flatMap((one) => conditionsOf(one, words));
    case "eq":
      return [equality(filter.field, filter.value, words)];
    case "in":
      return [membership(filter.field, filter.values, words)];
    case "range":
      return bounds(filter);
    case "or":
      return [alternatives(filter.filters, words)];
    case "not":
      return [denial(filter.filter, words)];
    default:
      return [OPEN];
  }
}

function equality(field: string, value: Scalar, words: SqlWords): Condition {
  if (field === "supersededBy" && value === null)
    return { text: "superseded_by IS NULL", params: [], exact: true };
  if (field === "pinned" && typeof value === "boolean")
    return { text: "is_active = ?", params: [value ? 1 : 0], exact: true };
  if (field.startsWith(METADATA)) return inMetadata(field, [value], words);
  if (typeof value !== "string" && typeof value !== "number") return OPEN;
  const column = (typeof value === "string" ? TEXT : NUMBER)[field];
  return column === undefined || !fits(field, value)
    ? OPEN
    : { text: `${column} = ?`, params: [value], exact: true };
}

function inMetadata(field: string, values: readonly Scalar[], words: SqlWords): Condition {
  const path = pathTo(field.slice(METADATA.length));
  const texts = values.flatMap((value) => storedText(value) ?? []);
  const [only] = texts;
  if (path === undefined || texts.length < values.length) return OPEN;
  return texts.length === 1 && only !== undefined
    ? { text: words.isAt("metadata"), params: [path, only], exact: true }
    : { text: words.isOneAt("metadata"), params: [path, JSON.stringify(texts)], exact: true };
}

/** However many there are, they are one parameter: the statement stays the same. */
function membership(field: string, values: readonly Scalar[], words: SqlWords): Condition {
  if (field.startsWith(METADATA)) return inMetadata(field, values, words);
  const column = TEXT[field];
  const isText = values.every((value) => typeof value === "string");
  return column === undefined || !isText
    ? OPEN
    : { text: words.oneOf(column), params: [JSON.stringify(values)], exact: true };
}

/** A branch of which SQL knows nothing lets everything through. */
function alternatives(filters: readonly Filter[], words: SqlWords): Condition {
  const branches = filters.map((one) => conditionsOf(one, words));
  const texts = branches.map((parts) =>
    parts
      .filter(({ text }) => text !== "")
      .map(({ text }) => text)
      .join(" AND "),
  );
  const text = texts.map((one) => `(${one})`).join(" OR ");
  if (texts.length === 0 || texts.includes("") || text.length > LONGEST) return OPEN;
  const parts = branches.flat();
  return {
    text: `(${text})`,
    params: parts.flatMap(({ params }) => params),
    exact: parts.every(({ exact }) => exact),
  };
}

/** Also where there is nothing: "not archived" is true of an entry without a tier. */
function denial(denied: Filter, words: SqlWords): Condition {
  if (denied.op !== "eq" && denied.op !== "in") return OPEN;
  const { text, params, exact } =
    denied.op === "eq"
      ? equality(denied.field, denied.value, words)
      : membership(denied.field, denied.values, words);
  if (!exact || params.length === 0) return OPEN;
  return { text: `(${text}) IS NOT TRUE`, params, exact };
}

function fits(field: string, value: string | number): boolean {
  if (typeof value === "string") return true;
  if (field === "importance") return Number.isFinite(value);
  return Number.isSafeInteger(value) && (field !== "strength" || Math.abs(value) < 2 ** 31);
}

function bounds(range: Range & { readonly field: string }): Condition[] {
  const column = NUMBER[range.field];
  if (column === undefined) return [OPEN];
  const given = [
    [range.gt, ">"],
    [range.gte, ">="],
    [range.lt, "<"],
    [range.lte, "<="],
  ] as const;
  const conditions = given.flatMap(([bound, sign]) => {
    if (bound === undefined) return [];
    return typeof bound === "number" && fits(range.field, bound)
      ? [{ text: `${column} ${sign} ?`, params: [bound], exact: true }]
      : [OPEN];
  });
  // A range without bounds still asks that there be a number.
  return conditions.length === 0 ? [OPEN] : conditions;
}
