/** How is text put into a page? Escaped, always: whatever a template is given stands on the page as it is and means nothing to it. */

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

const SIGNS: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What is written in the program is markup; what is put in is text, unless it was made here. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(String.raw({ raw: strings }, ...parts.map(written)));
}

function written(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part).replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);
}
