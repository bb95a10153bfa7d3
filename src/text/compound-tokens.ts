/**
 * What can be searched for in words glued together by punctuation? "user@example.com", "foo_bar", "v1.5", "GPT-4",
 * "12:30", "O'Brien", URLs: the whole is one token, and its parts are tokens where they mean something by themselves.
 */
import { ASCII_CLASSES } from "./char-class.ts";
import { ownCopy, wordToken } from "./word-token.ts";

/** Whether a character may glue two words together, by char code: a cheap test before the real one. */
export const JOINERS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  "'_-.@&/:,".includes(String.fromCharCode(code)) ? 1 : 0,
);

/** Where the glued text that starts at `start`, and whose first word ends at `wordEnd`, itself ends. */
export function compoundEnd(text: string, start: number, wordEnd: number): number {
  if (text.startsWith("://", wordEnd) && /^(?:https?|ftp)$/i.test(text.slice(start, wordEnd))) {
    return urlEnd(text, wordEnd + 3);
  }
  let end = wordEnd;
  for (;;) {
    const next = joinedWordStart(text, end);
    if (next === end) break;
    end = next;
    while (end < text.length && isPlainWord(text.charCodeAt(end))) end++;
  }
  return text[end] === "/" && HOST.test(text.slice(start, end)) ? urlEnd(text, end) : end;
}

/** Pushes the tokens of a lower-case compound. `keepStopWords` keeps the function words among its parts. */
export function pushCompoundTokens(compound: string, keepStopWords: boolean, out: string[]): void {
  if (compound.includes("/") && (compound.includes("://") || HOST.test(compound.split("/", 1)[0] ?? ""))) {
    pushUrl(compound, out);
    return;
  }
  const contraction = /^([a-z]+)n't$/.exec(compound);
  if (contraction !== null) {
    // "don't", "won't", "isn't": function words whatever stands before the n.
    if (keepStopWords) out.push(compound.replace("'", ""));
    return;
  }
  const text = compound.replace(/'(?:s|re|ve|ll|d|m)$/, "");
  if (NUMBER_WITH_COMMAS.test(text)) out.push(text.replaceAll(",", ""));
  else if (VERSION.test(text)) pushVersion(text, out);
  else if (CLOCK_TIME.test(text)) pushClockTime(text, out);
  else if (DOTTED_LETTERS.test(text)) out.push(text.replaceAll(".", ""));
  else if (text.includes(",")) pushParts(text, /,/, keepStopWords, out);
  else if (EMAIL.test(text)) pushEmail(text, keepStopWords, out);
  else pushGlued(text, keepStopWords, out);
}

/** A word of letters and digits by its parts: "iphone15" is also found by "iphone" and "15". */
export function pushMixedToken(word: string, out: string[]): void {
  out.push(ownCopy(word));
  const parts = /^(?:([a-z]{2,})(\d+)|(\d+)([a-z]{2,}))$/.exec(word);
  if (parts === null) return;
  const token = wordToken(parts[1] ?? parts[4] ?? "");
  if (token !== "") out.push(token);
  out.push(parts[2] ?? parts[3] ?? "");
}

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i;
const EMAIL = /^[^@]+@[^@]+\.[^@]+$/;
const NUMBER_WITH_COMMAS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const VERSION = /^v?\d+(?:\.\d+)+[a-z]*$/;
const CLOCK_TIME = /^\d{1,2}(?::\d{2})+(?:[ap]m)?$/;
const DOTTED_LETTERS = /^(?:[a-z]\.)+[a-z]$/;
/** The O of O'Brien and the n of rock'n'roll mean nothing alone. */
const SHORT_NAME_PARTS = /\b[a-z]{1,2}\b/g;
const NOT_WORD = /[^a-z0-9]+/;

/** Where the next word of the compound starts, or `end` if the compound stops here. */
function joinedWordStart(text: string, end: number): number {
  const joiner = text.charAt(end);
  let next = end + 1;
  while (joiner === "_" && text[next] === "_") next++;
  if (next >= text.length || !isPlainWord(text.charCodeAt(next))) return end;
  if ("'_-.@&".includes(joiner)) return next;
  // "12:30", "1,000" and "09/06/2023" hold together; "and/or" and "note:this" do not.
  return joiner !== "" && "/:,".includes(joiner) && isDigit(text, end - 1) && isDigit(text, next)
    ? next
    : end;
}

function urlEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && /[^\s<>"'`{}|\\^[\]\u0080-\uffff]/.test(text.charAt(end))) end++;
  while (end > from && /[.,;:!?)]/.test(text.charAt(end - 1))) end--;
  return end;
}

function pushUrl(url: string, out: string[]): void {
  const whole = url.replace(/^\w+:\/\//, "").replace(/\/$/, "");
  const host = whole.split(/[/?#]/, 1)[0] ?? "";
  out.push(ownCopy(whole));
  if (host !== whole) out.push(ownCopy(host));
  pushParts(whole.replace(/^www\./, ""), NOT_WORD, false, out);
}

function pushVersion(text: string, out: string[]): void {
  out.push(text);
  if (text.startsWith("v")) out.push(text.slice(1));
}

function pushClockTime(text: string, out: string[]): void {
  out.push(text);
  if (text.endsWith("m")) out.push(text.slice(0, -2));
}

function pushEmail(text: string, keepStopWords: boolean, out: string[]): void {
  const domain = text.slice(text.indexOf("@") + 1);
  out.push(ownCopy(text), ownCopy(domain));
  pushParts(text, NOT_WORD, keepStopWords, out);
}

function pushGlued(text: string, keepStopWords: boolean, out: string[]): void {
  const joined = text.replace(/['-]/g, "");
  if (/^[a-z'-]+$/.test(text)) {
    // "e-mail" must meet "email", and "O'Brien" "OBrien".
    const token = wordToken(joined);
    if (token !== "") out.push(ownCopy(token));
    else if (keepStopWords) out.push(joined);
  } else {
    out.push(ownCopy(text));
    if (/^[a-z]+-\d+$/.test(text)) out.push(joined);
  }
  if (joined === text && !/[_.&/:@]/.test(text)) return;
  pushParts(text.includes("'") ? text.replace(SHORT_NAME_PARTS, "") : text, NOT_WORD, keepStopWords, out);
}

function pushParts(text: string, between: RegExp, keepStopWords: boolean, out: string[]): void {
  for (const part of text.split(between)) {
    if (/\d/.test(part)) {
      out.push(ownCopy(part));
    } else if (part.length > 1) {
      const token = wordToken(part);
      if (token !== "") out.push(token);
      else if (keepStopWords) out.push(part);
    }
  }
}

function isPlainWord(code: number): boolean {
  return code < 128 && ASCII_CLASSES[code] !== 0;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}
