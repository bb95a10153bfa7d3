/**
 * Where do sentences begin and end? At . ! ? and their Chinese forms with the quotes and brackets that close behind them,
 * and at line breaks; not after abbreviations, initials and numbers.
 */

export interface Sentence {
  readonly text: string;
  /** Where it begins in the whole. */
  readonly index: number;
}

/** The sentences in order, trimmed, none empty; together they hold every character that is not white space. */
export function splitSentences(text: string): Sentence[] {
  const out: Sentence[] = [];
  let start = 0;
  TERMINATOR.lastIndex = 0;
  for (let hit = TERMINATOR.exec(text); hit !== null; hit = TERMINATOR.exec(text)) {
    if (!isEnd(text, hit)) continue;
    push(out, text, start, hit.index + hit[0].length);
    start = hit.index + hit[0].length;
  }
  push(out, text, start, text.length);
  return out;
}

const CLOSERS = "[\"'”’」』）)\\]】》〉»]*";
const TERMINATOR = new RegExp(`[\\r\\n]+|(?:[。！？｡]|[.!?…]|⋯)+${CLOSERS}`, "gu");

/** Abbreviations that stand before a name or number, so that a capital behind them begins no sentence. */
const TITLES: ReadonlySet<string> = new Set(
  "mr mrs ms dr prof rev fr st sr jr gen col lt sgt capt hon pres gov sen rep messrs mt ft no nos vol fig eq sec ch art pp p vs cf approx dept univ est inc ltd co corp".split(
    " ",
  ),
);
/** Abbreviations in the middle of a sentence: the next word decides. */
const INNER: ReadonlySet<string> = new Set(
  "e.g i.e etc a.m p.m u.s u.k u.n ph.d b.a m.a jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun".split(
    " ",
  ),
);

function isEnd(text: string, hit: RegExpExecArray): boolean {
  const [marks] = hit;
  if (/[\r\n。！？｡]/.test(marks)) return true;
  const after = text.slice(hit.index + marks.length, hit.index + marks.length + 40);
  if (after === "" || /^\s*$/.test(after)) return true;
  // A Western mark ends a sentence before white space or a Han character: not in "3.14", "example.com", "!important".
  if (!/^[\s\p{Script=Han}]/u.test(after)) return false;
  const next = after.trimStart().replace(/^["'“‘(「『（[]+/u, "");
  if (/^(?:\.{2,}|…|⋯)/.test(marks)) return !/^\p{Ll}/u.test(next);
  if (!marks.startsWith(".")) return !(/["'”’」』]/.test(marks) && /^\p{Ll}/u.test(next));
  return isFullStop(text.slice(Math.max(0, hit.index - 20), hit.index), next);
}

/** Whether a dot after `before` ends a sentence that goes on with `next`. */
function isFullStop(before: string, next: string): boolean {
  const word = /(?:[\p{L}\p{N}]|(?<=\p{L})\.(?=\p{L}))+$/u.exec(before)?.[0] ?? "";
  const plain = word.toLowerCase();
  if (TITLES.has(plain))
    return plain.length > 2 && /^(?:inc|ltd|corp|dept|univ|est)$/.test(plain) && /^\p{Lu}/u.test(next);
  const isInitial = /^\p{Lu}$/u.test(word) && word !== "I";
  if (isInitial) return false;
  if (INNER.has(plain)) return /^\p{Lu}/u.test(next) && !/^(?:I\b|\d)/.test(next);
  return !/^\p{Ll}/u.test(next) || /[^\x20-\x7e]/.test(before.slice(-1));
}

function push(out: Sentence[], text: string, start: number, end: number): void {
  const raw = text.slice(start, end);
  const trimmed = raw.trim();
  if (trimmed !== "") out.push({ text: trimmed, index: start + raw.indexOf(trimmed) });
}
