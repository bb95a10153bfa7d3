/** How does text become part of a page without becoming markup? Whatever is not ours goes through here. */

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** For text and for attributes in quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (one) => ENTITIES[one] ?? one);
}

/** For a script element of data: nothing in it can end the element or begin a comment. */
export function embeddedJson(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}
