/**
 * Does a text end by asking? What stands behind the last mark without being said does not count: closing quotes and
 * brackets, emoji, the caption of a picture in square brackets. In Chinese 吗 and 呢 ask even where the mark is missing.
 */
import { simplify } from "./simplify.ts";

export function endsInQuestion(text: string): boolean {
  let end = spokenEnd(text);
  let hasMark = false;
  // "What?!" asks as well.
  for (; end > 0 && /[?？!！~～⁇‽？｡。.…]/u.test(text.charAt(end - 1)); end--) {
    const mark = text.charAt(end - 1);
    if (/[?？⁇‽]/u.test(mark)) return true;
    hasMark ||= /[!！｡。.]/u.test(mark);
  }
  const said = text.slice(Math.max(0, end - SENTENCE), end).trimEnd();
  return said.charCodeAt(said.length - 1) >= FIRST_HAN && endsInParticle(simplify(said), hasMark);
}

/** No character before this is Chinese. */
const FIRST_HAN = 0x2e80;

/** How far back the sentence of a final particle is looked at. */
const SENTENCE = 40;

/** 吗 always asks; 呢 asks unless a mark or the sentence says that something is going on: 我在吃饭呢。 */
function endsInParticle(text: string, hasMark: boolean): boolean {
  if (/(?:[吗麽]|好么|是么|对么|行么)$/u.test(text)) return true;
  if (!text.endsWith("呢") || hasMark) return false;
  const sentence = /[^，。！？,.!?\n]*$/u.exec(text)?.[0] ?? "";
  return ASKING.test(sentence) || !GOING_ON.test(sentence);
}

const ASKING = /什么|啥|怎|谁|哪|几|多少|为何|干嘛|是不是|有没有|还是/u;
const GOING_ON = /正在|还在|还没|才|可[^以能]|着呢|呢呢|^我?在/u;

const UNSAID =
  /[\s\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\p{M}\p{Cf}"'”’»)）」』】》*_]/u;
const EMOTICON = /(?:^|\s|[?？!！])[:;=][-']?[()DPp3*]{1,3}$/;

/** The place behind the last character that is said. */
function spokenEnd(text: string): number {
  let end = text.length;
  for (;;) {
    const before = end;
    const emoticon = EMOTICON.exec(text.slice(Math.max(0, end - 6), end));
    if (emoticon !== null) end -= emoticon[0].replace(/^[\s?？!！]/, "").length;
    if (text.charAt(end - 1) === "]") {
      const open = text.lastIndexOf("[", end - 1);
      if (open !== -1) end = open;
    }
    const last = lastCharacter(text, end);
    if (last !== "" && UNSAID.test(last)) end -= last.length;
    if (end === before) return end;
  }
}

function lastCharacter(text: string, end: number): string {
  const low = text.charCodeAt(end - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && end > 1;
  return text.slice(Math.max(0, end - (isPair ? 2 : 1)), end);
}
