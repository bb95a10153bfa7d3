/**
 * A segment is an entry that stands for pages of one theme (MemoryOS): its content sums them up and is what is embedded,
 * its sources name them. How often it was visited and how many pages came since it was last read for the profile are its
 * ordinary observables, so its heat is a vitality policy like every other. A page is stored once, in however many segments.
 */
import type { Entry } from "../../../../base/entry.ts";
import { where } from "../../../../base/filter.ts";
import type { JsonObject } from "../../../../base/json.ts";
import type { Line } from "../../../../tasks/dialogue.ts";
import { ownEntries } from "../../own-entries.ts";
import type { TriggerContext } from "../../trigger.ts";

export const SEGMENT = "segment";
export const PROFILE = "profile";
/** What is known by itself, beside the profile: of who is served, and what the assistant said or promised. */
export const USER_KNOWLEDGE = "user_knowledge";
export const ASSISTANT_KNOWLEDGE = "assistant_knowledge";

/** The scope's own that are in use, oldest first. */
export function readSegments(context: TriggerContext, tier: string): Promise<Entry[]> {
  return ownEntries(context, where.and(where.eq("kind", SEGMENT), where.eq("tier", tier)));
}

/** Words that its theme was named by. */
export function keywordsOf({ metadata }: Entry): readonly string[] {
  return namesIn(metadata, "keywords");
}

/** Looks that counted before its visits were last set back; `lfu` counts all of them. */
export function visitsOf({ accessCount, metadata }: Entry): number {
  return accessCount + earlierVisits(metadata);
}

export function earlierVisits({ earlier_visits }: JsonObject): number {
  return typeof earlier_visits === "number" ? earlier_visits : 0;
}

/** A page as it was said. What begins no line of a speaker goes on with the line before it. */
export function linesOfPage({ content, metadata, happenedAt }: Entry): Line[] {
  const speakers = namesIn(metadata, "persons");
  const lines: Line[] = [];
  for (const text of content.split("\n")) {
    const speaker = speakers.find((name) => text.startsWith(`${name}: `));
    const last = lines.at(-1);
    if (speaker === undefined && last !== undefined)
      lines[lines.length - 1] = { ...last, text: `${last.text}\n${text}` };
    else {
      const said = speaker === undefined ? text : text.slice(speaker.length + 2);
      lines.push({ speaker: speaker ?? "", text: said, captions: [], happenedAt });
    }
  }
  return lines;
}

export interface Parties {
  readonly user: string;
  readonly assistant: string;
}

/**
 * Who is served and who serves: as the profile has it, or by what the turns say of it, or else who speaks first most
 * often, and another.
 */
export function partiesOf(pages: readonly Entry[], profile: JsonObject = {}): Parties {
  const { user: known, assistant: other } = profile;
  if (typeof known === "string" && typeof other === "string" && known !== "")
    return { user: known, assistant: other };
  const assistants = new Set(pages.flatMap(({ metadata }) => namesIn(metadata, "assistants")));
  const openers = pages.flatMap((page) => {
    const speakers = linesOfPage(page).map(({ speaker }) => speaker);
    return speakers.find((name) => name !== "" && !assistants.has(name)) ?? [];
  });
  const user = mostFrequent(openers) ?? "";
  const others = pages.flatMap(({ metadata }) => namesIn(metadata, "persons"));
  return { user, assistant: [...assistants, ...others].find((name) => name !== user) ?? "" };
}

function mostFrequent(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function namesIn(metadata: JsonObject, key: string): string[] {
  const value = metadata[key];
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
