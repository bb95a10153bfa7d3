/**
 * What of an A-MEM note (Xu et al., NeurIPS 2025) is embedded? Paper, paper's code and library differ, so there are three
 * forms; whoever embeds a note anew must do it in the form it was embedded in before, or old and new are not comparable.
 */

/** content: as the library; context_keywords: as the paper's code; all: content, context, keywords and tags, as the paper. */
export const NOTE_FORMS = ["content", "context_keywords", "all"] as const;
export type NoteForm = (typeof NOTE_FORMS)[number];

interface NoteParts {
  readonly content: string;
  readonly context: string;
  readonly keywords: readonly string[];
  readonly tags: readonly string[];
}

export function noteText({ content, context, keywords, tags }: NoteParts, form: NoteForm): string {
  if (form === "content") return content;
  const short = `${context} keywords: ${keywords.join(", ")}`;
  return form === "context_keywords" ? short : `${content} ${short} tags: ${tags.join(", ")}`;
}
