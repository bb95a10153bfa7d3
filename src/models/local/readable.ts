/**
 * Is there anything in a text to embed? Space, control and format characters, private ones, accents without a letter and
 * the mark of a broken character say nothing: a text of these alone has no vector rather than one of zeros (C-22).
 */
const READABLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Mn}\uFFFD]/u;

export function isReadable(text: string): boolean {
  return READABLE.test(text);
}
