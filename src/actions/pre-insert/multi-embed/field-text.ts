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

/** A draft, or the entry that it became. */
type Texts = Pick<Draft, "content" | "tags" | "metadata"> & Partial<Pick<Draft, "insertParams">>;

/** Lists are put into one text; undefined where the draft has nothing of the kind. */
export function fieldText(draft: Texts, field: TextField): string | undefined {
  const text = rawField(draft, field)
    .filter((part) => typeof part === "string")
    .join(", ");
  return text.trim() === "" ? undefined : text;
}

function rawField(draft: Texts, field: TextField): readonly unknown[] {
  if (field === "content") return [draft.content];
  if (field === "tags") return draft.tags ?? [];
  const value = field === "summary" ? draft.insertParams?.summary : undefined;
  const stored = value ?? draft.metadata?.[field];
  return Array.isArray(stored) ? stored : [stored];
}
