/**
 * A program's text without what is not program: comments always, and the insides of strings when asked. Removed
 * characters become spaces, so lines and columns stay where they were.
 */

export interface Kept {
  readonly strings: boolean;
}

/** A slash after one of these opens a regular expression, after anything else it divides. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|throw|void))\s*$/;

export function stripSource(text: string, kept: Kept): string {
  let out = "";
  let at = 0;
  /** One number per open `${`: how many braces are open inside it. */
  const holes: number[] = [];

  const keep = (length: number): void => {
    out += text.slice(at, at + length);
    at += length;
  };
  const blank = (length: number): void => {
    out += text.slice(at, at + length).replace(/[^\n]/g, " ");
    at += length;
  };
  const inside = (length: number): void => (kept.strings ? keep(length) : blank(length));
  const lengthOf = (pattern: RegExp): number => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0].length ?? 1;
  };
  /** From within a template on, up to its end or its next hole. */
  const template = (): void => {
    inside(lengthOf(/(?:\\[\s\S]|\$(?!\{)|[^\\`$])*/y));
    if (text.startsWith("${", at)) {
      keep(2);
      holes.push(0);
    } else keep(1);
  };

  while (at < text.length) {
    const character = text[at];
    if (text.startsWith("//", at)) blank(lengthOf(/[^\n]*/y));
    else if (text.startsWith("/*", at)) blank(lengthOf(/\/\*[\s\S]*?(?:\*\/|$)/y));
    else if (character === '"' || character === "'") {
      const length = lengthOf(/"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y);
      keep(1);
      inside(length - 2);
      if (length > 1) keep(1);
    } else if (character === "/" && BEFORE_REGEX.test(out.slice(-40))) {
      inside(lengthOf(/\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/\w*/y));
    } else if (character === "`") {
      keep(1);
      template();
    } else if (character === "}" && holes.at(-1) === 0) {
      holes.pop();
      keep(1);
      template();
    } else {
      const open = holes.length - 1;
      if (open >= 0 && character === "{") holes[open] = (holes[open] ?? 0) + 1;
      if (open >= 0 && character === "}") holes[open] = (holes[open] ?? 0) - 1;
      keep(1);
    }
  }
  return out;
}
