/**
 * Who is "I", and who is "you"? Rewrites the first and second person of what somebody said into names, so that it can be
 * read out of its context (S2-6): "I love my dog", said by Mia, becomes "Mia loves Mia's dog". Only what is safe: text in
 * quotation marks is someone else's, and "we" may be anybody, so both stay as they are.
 */
import { resolveChineseSpeakers } from "./chinese-coreference.ts";
import { resolveEnglishSpeakers } from "./english-coreference.ts";
import type { Speakers } from "./speakers.ts";

export function resolveSpeakers(text: string, speakers: Speakers): string {
  return outsideQuotes(text, (part) =>
    resolveChineseSpeakers(resolveEnglishSpeakers(part, speakers), speakers),
  );
}

const QUOTED = /"[^"\n]*"|“[^”\n]*”|「[^」\n]*」|『[^』\n]*』|‘[^’\n]*’(?![a-z])|《[^》\n]*》/g;

function outsideQuotes(text: string, rewrite: (part: string) => string): string {
  let out = "";
  let end = 0;
  for (const match of text.matchAll(QUOTED)) {
    out += rewrite(text.slice(end, match.index)) + match[0];
    end = match.index + match[0].length;
  }
  return out + rewrite(text.slice(end));
}
