/**
 * Which token ids does a BERT model read for a text? WordPiece (Schuster & Nakajima, Japanese and Korean Voice Search,
 * 2012; Devlin et al., BERT, 2019): control characters are dropped, CJK characters and punctuation stand alone, and each
 * remaining word is cut greedily into the longest pieces that the vocabulary holds.
 *
 * Ids equal those of the reference tokenizer, with one exception on purpose: "[SEP]" and the like written in a text are
 * plain text here, so that what somebody said can never steer the model.
 */
import { MemoryError } from "../../base/errors.ts";

export interface WordPiece {
  /** In the order of their ids. */
  readonly tokens: readonly string[];
  readonly classify: number;
  readonly separate: number;
  /** Ids of the text alone, without the frame of [CLS] and [SEP]; [] if nothing of it can be read. */
  encode(text: string): number[];
}

export interface WordPieceOptions {
  /** Tokens in the order of their ids. */
  readonly vocabulary: readonly string[];
  /** Lower case, and accents taken off with it, as BERT's uncased models expect. */
  readonly lowercase: boolean;
}

export function wordPiece({ vocabulary, lowercase }: WordPieceOptions): WordPiece {
  const ids = new Map(vocabulary.map((token, id) => [token, id]));
  const special = (token: string): number => {
    const id = ids.get(token);
    if (id !== undefined) return id;
    throw new MemoryError(
      "option_invalid",
      `The vocabulary has no ${token}. Valid: the vocabulary of a BERT model, one token per id.`,
    );
  };
  const unknown = special("[UNK]");
  const cut = cached((word) => pieces(word, ids, unknown));
  return {
    tokens: vocabulary,
    classify: special("[CLS]"),
    separate: special("[SEP]"),
    encode(text) {
      const out: number[] = [];
      forEachWord(clean(text, lowercase), (word) => {
        const whole = ids.get(word);
        if (whole === undefined) out.push(...cut(word));
        else out.push(whole);
      });
      return out;
    },
  };
}

// --- Words ---------------------------------------------------------------------------------------------------------

const INSIDE = 0;
const SPACE = 1;
/** A character that is a word of its own. */
const ALONE = 2;

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 32 || code === 127) return SPACE;
  return /[a-zA-Z0-9]/.test(String.fromCharCode(code)) ? INSIDE : ALONE;
});

/** Control, format and private characters carry no text; tab and line ends are spaces. */
const UNREADABLE = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\uFFFD]/gu;
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

function clean(text: string, lowercase: boolean): string {
  if (PLAIN.test(text)) return lowercase ? text.toLowerCase() : text;
  const readable = text.replace(UNREADABLE, "");
  if (!lowercase) return readable;
  // Character by character a capital sigma becomes σ, also at the end of a word.
  return readable
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replaceAll("Σ", "σ")
    .toLowerCase();
}

function forEachWord(text: string, visit: (word: string) => void): void {
  let start = 0;
  for (let i = 0; i < text.length; ) {
    const code = text.charCodeAt(i);
    const units = (code & 0xfc00) === 0xd800 ? 2 : 1;
    const kind = code < 128 ? (ASCII_KINDS[code] as number) : kindOf(text.codePointAt(i) ?? code);
    if (kind !== INSIDE) {
      if (i > start) visit(text.slice(start, i));
      if (kind === ALONE) visit(text.slice(i, i + units));
      start = i + units;
    }
    i += units;
  }
  if (start < text.length) visit(text.slice(start));
}

function kindOf(codePoint: number): number {
  if (isCjk(codePoint)) return ALONE;
  const character = String.fromCodePoint(codePoint);
  if (/\p{P}/u.test(character)) return ALONE;
  return /\p{White_Space}/u.test(character) ? SPACE : INSIDE;
}

/** The blocks BERT was trained to take one by one: Han, without kana and Hangul. The reference leaves a gap at 2B820. */
function isCjk(code: number): boolean {
  if (code < 0x3400) return false;
  if (code <= 0x9fff) return code <= 0x4dbf || code >= 0x4e00;
  if (code < 0x20000) return code >= 0xf900 && code <= 0xfaff;
  return (
    code <= 0x2a6df ||
    (code >= 0x2a700 && code <= 0x2b81f) ||
    (code >= 0x2b920 && code <= 0x2ceaf) ||
    (code >= 0x2f800 && code <= 0x2fa1f)
  );
}

// --- Pieces --------------------------------------------------------------------------------------------------------

const LONGEST_WORD = 100;

/** The longest piece first, then the longest that continues it; one unreadable spot makes the whole word unknown. */
function pieces(word: string, ids: ReadonlyMap<string, number>, unknown: number): readonly number[] {
  if (word.length > LONGEST_WORD && [...word].length > LONGEST_WORD) return [unknown];
  const out: number[] = [];
  for (let start = 0; start < word.length; ) {
    let end = word.length;
    let id: number | undefined;
    for (; end > start; end--) {
      const piece = word.slice(start, end);
      id = ids.get(start === 0 ? piece : `##${piece}`);
      if (id !== undefined) break;
    }
    if (id === undefined) return [unknown];
    out.push(id);
    start = end;
  }
  return out;
}

const CACHE_SIZE = 20_000;

/** Remembers the rarer words of late; emptied when full, since a text's own words come back at once. */
function cached(cut: (word: string) => readonly number[]): (word: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const made = cut(word);
    if (known.size >= CACHE_SIZE) known.clear();
    known.set(word, made);
    return made;
  };
}
