/**
 * How is an item kept in a memory? As a judged memory: its text is what is searched, and it stands as it was put, in every
 * design. Address and value are the caller's own fields of it. The value is JSON in a text, so that whatever JSON can say comes
 * back as it was.
 */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";
import type { JsonObject } from "../../base/json.ts";
import { keyText, pathOf } from "./item-address.ts";
import { itemText } from "./item-text.ts";

export interface StoredItem {
  /** Of the memory that holds it. */
  readonly id: string;
  readonly namespace: string[];
  readonly key: string;
  readonly value: Record<string, unknown>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly isIndexed: boolean;
}

export interface NewStoredItem {
  readonly namespace: readonly string[];
  readonly key: string;
  readonly value: Record<string, unknown>;
  readonly index: false | readonly string[] | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A judged memory, as `remember` takes it. */
export interface ItemMemory {
  readonly judgment: string;
  readonly metadata: JsonObject;
}

export function itemMemory(item: NewStoredItem): ItemMemory {
  const { namespace, key, value, index, createdAt, updatedAt } = item;
  return {
    judgment: itemText({ namespace, key, value, index }),
    metadata: {
      langgraph: {
        path: pathOf(namespace),
        key: keyText(key),
        value: valueText(value),
        createdAt,
        updatedAt,
        isIndexed: index !== false,
      },
    },
  };
}

function valueText(value: object): string {
  const text = JSON.stringify(value);
  // JSON writes these as they are; a stored text may not hold them.
  return text.replace(/[\u007f-\u009f]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** What cannot be read was written by somebody else. */
function written<T>(read: (text: string) => T) {
  return z.string().transform((text, context): T => {
    try {
      return read(text);
    } catch {
      context.addIssue("was not written by this store");
      return z.NEVER;
    }
  });
}

const storedSchema = z.object({
  own: z.object({
    langgraph: z.object({
      path: written((path) => path.split("/").slice(0, -1).map(decodeURIComponent)),
      key: written(decodeURIComponent),
      value: written(readValue),
      createdAt: z.number(),
      updatedAt: z.number(),
      isIndexed: z.boolean(),
    }),
  }),
});

/** undefined: another kind of memory. */
export function storedItem({
  id,
  metadata,
}: {
  readonly id: string;
  readonly metadata: object;
}): StoredItem | undefined {
  const found = storedSchema.safeParse(metadata);
  if (!found.success) return undefined;
  const { path, key, value, createdAt, updatedAt, isIndexed } = found.data.own.langgraph;
  return {
    id,
    namespace: path,
    key,
    value,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    isIndexed,
  };
}

/** The value as it will come back: what JSON makes of it. */
export function checkValue(value: unknown, key: string): Record<string, unknown> {
  try {
    return readValue(JSON.stringify(value));
  } catch (cause) {
    throw new MemoryError(
      "input_invalid",
      `The value of "${key.slice(0, 60)}" cannot be written as an object of JSON. Valid: an object that JSON can write, or null to delete the item.`,
      { cause },
    );
  }
}

function readValue(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (isObject(value)) return value;
  throw new TypeError("That is no object.");
}

/** Not by a schema, which would leave a field out that is called "__proto__". */
function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
