/** Who said it, in which session, and what, as the memory of one turn tells. */
import type { Hit } from "../../../base/hit.ts";
import type { Participant } from "../../../text/asked-about.ts";

export function participantsOf(hits: readonly Hit[]): Participant[] {
  const found = new Map<string, Participant>();
  for (const hit of hits) {
    const name = speakerOf(hit);
    if (name !== "" && !found.has(name)) found.set(name, { name, role: roleOf(hit) });
  }
  return [...found.values()];
}

function roleOf({ metadata }: Hit): Participant["role"] {
  const { role } = metadata;
  return role === "assistant" || role === "system" || role === "tool" || role === "other" ? role : "user";
}

export function speakerOf(hit: Hit): string {
  const { speaker } = hit.metadata;
  return typeof speaker === "string" ? speaker : roleOf(hit);
}

export function sessionOf({ metadata: { session } }: Hit): string | null {
  return typeof session === "string" ? session : null;
}

/** Without the speaker's name in front. */
export function whatWasSaid(hit: Hit): string {
  const prefix = `${speakerOf(hit)}: `;
  return hit.content.startsWith(prefix) ? hit.content.slice(prefix.length) : hit.content;
}
