/**
 * Text as other programs export it: what could not be stored is taken out, for one stray character must not keep a year of
 * chats from being read. Marks that only the other program's screen understands go, too.
 */
import { cleanText } from "../../base/text-input.ts";

/** ChatGPT's references to what it searched. */
const CITATION = /\uE200[^\uE200\uE201]*\uE201|【\d+[^【】†]*†[^【】]*】/g;

/** A session's name may have so many characters. */
const LONGEST_NAME = 200;

export function foreignText(text: string): string {
  return cleanText(text).replace(CITATION, "").trim();
}

export function foreignName(text: string): string {
  return foreignText(text.replace(/\s+/g, " ")).slice(0, LONGEST_NAME).toWellFormed();
}
