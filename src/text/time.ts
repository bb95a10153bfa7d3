/**
 * When is it, that a text speaks of? Finds the times that an English or Chinese text names and resolves relative ones
 * ("last week", 上周三, "three months ago") against the moment the text was written: never against today's clock (C8).
 *
 * Conventions: weeks begin on Monday; "three months ago" is the whole calendar month; "last Friday" the latest Friday
 * before that day, 上周五 the Friday of the week before; a morning is 6–12, an afternoon 12–18, an evening 18–24; a month
 * or weekday without a year or week is taken by the sentence's tense. Lunar dates are not read.
 */
import { simplify } from "./simplify.ts";
import type { Granularity, Span } from "./time/calendar.ts";
import { readChinese } from "./time/chinese.ts";
import { readWithChrono } from "./time/chrono-dates.ts";
import { readEnglish } from "./time/english.ts";
import { chineseOf, englishOf, isoOf } from "./time/format.ts";
import type { PlacedReading, TimeContext } from "./time/reading.ts";
import { isHabit } from "./time/tense.ts";
import { instantOf, wallTime, type Zone } from "./time/zone.ts";

export interface TimeReference {
  /** When the text was written or said, epoch milliseconds. */
  readonly at: number;
  /** Where: an IANA name or an offset such as "+08:00". */
  readonly zone: Zone;
}

export interface TimeExpression {
  /** The words as they stand in the text, with a preposition that belongs to them. */
  readonly text: string;
  /** Where they begin in the text. */
  readonly index: number;
  /** Epoch milliseconds; the end is not included. */
  readonly start: number;
  readonly end: number;
  readonly granularity: Granularity;
  readonly iso: string;
  /** Whether the words mean another time when said at another time. */
  readonly relative: boolean;
  /** The same time in words that do not depend on when they are read. */
  readonly absolute: string;
}

/** The times a text names, in order, none overlapping another. */
export function findTimes(text: string, reference: TimeReference): TimeExpression[] {
  const { zone } = reference;
  const isTraditional = HAN.test(text) && simplify(text) !== text;
  return readings(text, reference).map(({ span, start, end, relative }) => {
    const words = text.slice(start, end);
    return {
      text: words,
      index: start,
      start: instantOf(span.start, zone),
      end: instantOf(span.end, zone),
      granularity: span.granularity,
      iso: isoOf(span, zone),
      relative,
      absolute: HAN.test(words) ? chineseWords(span, isTraditional) : englishWords(span, text, start, words),
    };
  });
}

/** The text with every relative time made absolute (S2-7): "I left yesterday" → "I left on 8 June 2023". */
export function makeTimesAbsolute(text: string, reference: TimeReference): string {
  let out = "";
  let copied = 0;
  for (const { index, text: words, relative, absolute } of findTimes(text, reference)) {
    if (!relative) continue;
    out += text.slice(copied, index) + absolute;
    copied = index + words.length;
  }
  return out + text.slice(copied);
}

/** Whether the text speaks of what happens again and again, so that no single time is meant. */
export function namesHabit(text: string): boolean {
  return isHabit(text, 0);
}

const HAN = /\p{Script=Han}/u;

function readings(text: string, reference: TimeReference): PlacedReading[] {
  const now = wallTime(reference.at, reference.zone);
  const context: TimeContext = { text, now, zone: reference.zone };
  const found: PlacedReading[] = [];
  if (HAN.test(text)) {
    const simplified = { ...context, text: simplify(text) };
    found.push(...withChrono(readChinese(simplified), readWithChrono(simplified, "zh")));
  }
  if (/[a-z]|\d/i.test(text)) {
    const english = withChrono(readEnglish(context), readWithChrono(context, "en"));
    found.push(...english.filter((reading) => !found.some((other) => overlap(reading, other))));
  }
  return found.filter(({ span }) => isCounted(span)).sort((a, b) => a.start - b.start);
}

/** "20212023 years ago" is a time that no clock counts; a day is left for the zone. */
function isCounted({ start, end }: Span): boolean {
  return [start, end].every((moment) => Math.abs(moment) < MOST_MS);
}
const MOST_MS = 8.64e15 - 86_400_000;

/** Our own readings, and of chrono's those that see more: the ones that touch nothing of ours or contain it. */
function withChrono(own: readonly PlacedReading[], others: readonly PlacedReading[]): PlacedReading[] {
  const added = others.filter((other) =>
    own.every(
      (reading) => !overlap(reading, other) || (other.start < reading.start && other.end >= reading.end),
    ),
  );
  const kept = own.filter((reading) => !added.some((other) => overlap(reading, other)));
  return [...kept, ...added].sort((a, b) => a.start - b.start);
}

function overlap(a: PlacedReading, b: PlacedReading): boolean {
  return a.start < b.end && b.start < a.end;
}

function chineseWords(span: Span, isTraditional: boolean): string {
  return isTraditional ? toTraditional(chineseOf(span)) : chineseOf(span);
}

function englishWords(span: Span, text: string, start: number, words: string): string {
  const phrase = englishOf(span, standsAlone(text, start, words));
  return /^\p{Lu}/u.test(words) ? phrase.charAt(0).toUpperCase() + phrase.slice(1) : phrase;
}

/** The few characters of our own phrases that traditional script writes otherwise. */
function toTraditional(phrase: string): string {
  return phrase.replaceAll("点", "點").replaceAll("周", "週").replaceAll("个", "個");
}

/** Whether the time is a thing in its sentence and not a place for one: governed by a word before it, or the subject. */
function standsAlone(text: string, start: number, words: string): boolean {
  if (
    /^['’]s\b|^ (?:was|were|is|has|had been|will be|would be|works|sounds)\b/i.test(
      text.slice(start + words.length),
    )
  ) {
    return true;
  }
  if (/^(?:in|on|at|over|during|from|between)\s/i.test(words)) return false;
  // "I will visit her next month": nobody's month.
  if (/^(?:next|last|this)\s/i.test(words) && /\bher\s+$/i.test(text.slice(0, start))) return false;
  return GOVERNING.test(text.slice(Math.max(0, start - 12), start));
}

const GOVERNING =
  /\b(?:since|until|till|by|before|after|of|for|from|to|than|around|about|between|and|or|through|is|was|be|the|my|our|your|her|his|their)\s+$/i;
