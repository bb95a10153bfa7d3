/** Text as it enters: what cannot be stored and given back unchanged is refused here, once, with the reason. */
import { z } from "zod";
import { MemoryError } from "./errors.ts";
import type { Json } from "./json.ts";

/** Characters (UTF-16 units) of one turn or entry. A book is many entries; one entry is not a book. */
export const MAX_TEXT_LENGTH = 1_000_000;

const ANY_CONTROL = /\p{Cc}/u;
const UNSTORABLE = /[^\P{Cc}\t\n\r]/gu;

export function checkText(text: string, what: string): string {
  if (text.length > MAX_TEXT_LENGTH) {
    throw new MemoryError(
      "text_too_large",
      `The ${what} has ${text.length} characters. Valid: at most ${MAX_TEXT_LENGTH}; split it into several entries.`,
      { details: { length: text.length, limit: MAX_TEXT_LENGTH } },
    );
  }
  if (!text.isWellFormed()) {
    throw new MemoryError(
      "text_invalid",
      `The ${what} holds half of a surrogate pair, which no file can store. Valid: well-formed Unicode; "text.toWellFormed()" replaces the halves.`,
    );
  }
  const position = controlAt(text);
  if (position >= 0) {
    const code = text.charCodeAt(position).toString(16).padStart(4, "0");
    throw new MemoryError(
      "text_invalid",
      `The ${what} holds the control character U+${code} at position ${position}. Valid: any text; of the control characters only tab, line feed and carriage return.`,
      { details: { position } },
    );
  }
  return text;
}

/** Where the first control character but tab, line feed and carriage return stands; −1 if nowhere. */
function controlAt(text: string): number {
  for (let position = 0; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code >= 0xa0 || (code >= 0x20 && code < 0x7f)) continue;
    if (code !== 9 && code !== 10 && code !== 13) return position;
  }
  return -1;
}

export function checkContent(text: string, what: string): string {
  if (text.trim() === "") {
    throw new MemoryError("text_invalid", `The ${what} is empty. Valid: at least one visible character.`);
  }
  return checkText(text, what);
}

/** Without the characters that cannot be stored, however long it is. */
export function cleanText(text: string, instead = ""): string {
  return text.toWellFormed().replace(UNSTORABLE, instead);
}

/** What can be stored of a text that nobody can be asked to mend: the words of a chat, of another program's file. */
export function storableText(text: string, instead = ""): string {
  return cleanText(text, instead).slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

/** Every text within a JSON value, keys too. */
export function checkTexts<Value extends Json>(value: Value, what: string): Value {
  if (typeof value === "string") checkText(value, what);
  if (typeof value !== "object" || value === null) return value;
  for (const [key, part] of Object.entries(value)) {
    checkText(key, `${what}'s key`);
    checkTexts(part, what);
  }
  return value;
}

/** A short label that ends up in columns and keys: kinds, tiers, tags, edge types. */
export const labelSchema = z
  .string()
  .min(1)
  .max(256)
  .refine(
    (label) => label.isWellFormed() && !ANY_CONTROL.test(label),
    "must be well-formed text without control characters",
  );
