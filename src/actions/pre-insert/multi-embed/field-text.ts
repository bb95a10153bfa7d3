/** Which texts of a draft can be embedded by themselves? Its content, and what actions before read out of it. */
import type { Draft } from "../../../pipeline/draft.ts";

export const TEXT_FIELDS = [
  "content",
  "summary",
  "keywords",
  "nouns",
  "context",
  "entities",
  "persons",
  "topic",
  "speaker",
  "tags",
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

/** Lists are put into one text; undefined where the draft has nothing of the kind. */
export function fieldText(draft: Draft, field: TextField): string | undefined {
  const text = rawField(draft, field)
    .filter((part) => typeof part === "string")
    .join(", ");
  return text.trim() === "" ? undefined : text;
}

function rawField(draft: Draft, field: TextField): readonly unknown[] {
  if (field === "content") return [draft.content];
  if (field === "tags") return draft.tags ?? [];
  const value = field === "summary" ? draft.insertParams.summary : undefined;
  const stored = value ?? draft.metadata?.[field];
  return Array.isArray(stored) ? stored : [stored];
}
