/**
 * Does it go on with what came before? MemoryOS (Kang et al., EMNLP 2025) links each page to the one before it while the
 * topic goes on, and starts a chain where it does not. A page names itself, the page before it in its chain (null at the
 * chain's beginning) and the chain: `metadata.page_id`, `metadata.previous_page`, `metadata.chain_id`.
 */
import { z } from "zod";
import type { JsonObject } from "../../../base/json.ts";
import type { PreInsertContext } from "../../../pipeline/action.ts";
import type { Draft } from "../../../pipeline/draft.ts";
import { judgeContinuity } from "../../../tasks/judge-continuity.ts";
import { promptOption } from "../prompt-option.ts";

export const continuityCheckOptions = z.strictObject({
  transform_type: z
    .literal("continuity_check")
    .describe("Links each page of talk to the one it goes on with (MemoryOS)."),
  continuity_prompt: promptOption("whether talk goes on with its topic"),
  strategy: z
    .enum(["recent", "structured", "temporal"])
    .describe(
      "How the newest stored entry is looked up: by the service's queue, by its filter, or by its time index.",
    ),
});

interface Page {
  readonly content: string;
  readonly page: string;
  readonly chain: string;
}

export async function continuityCheck(
  drafts: readonly Draft[],
  context: PreInsertContext,
  { continuity_prompt, strategy }: z.infer<typeof continuityCheckOptions>,
): Promise<Draft[]> {
  let before = await newestPage(context, strategy);
  const names = new Set<string>();
  const out: Draft[] = [];
  for (const draft of drafts) {
    const page = pageName(draft, names, context.now);
    const given = { previous: before?.content ?? "", next: draft.content };
    const { continuous } = await context.think(judgeContinuity, given, continuity_prompt);
    const previous = continuous ? before : undefined;
    const chain = previous?.chain ?? page;
    const links = { page_id: page, previous_page: previous?.page ?? null, chain_id: chain };
    out.push({ ...draft, metadata: { ...draft.metadata, ...links } });
    before = { content: draft.content, page, chain };
  }
  return out;
}

async function newestPage(
  { store }: PreInsertContext,
  strategy: "recent" | "structured" | "temporal",
): Promise<Page | undefined> {
  // Public entries, which the scope sees, are not its talk.
  const [newest] = await store.retrieve({ topK: 1, own: true, hints: { strategy } });
  if (newest === undefined) return undefined;
  const page = textIn(newest.metadata, "page_id") ?? newest.id;
  return { content: newest.content, page, chain: textIn(newest.metadata, "chain_id") ?? page };
}

function textIn(metadata: JsonObject, name: string): string | undefined {
  const value = metadata[name];
  return typeof value === "string" ? value : undefined;
}

/** The first turn's id; drafts of one turn are counted on. */
function pageName({ sources = [] }: Draft, taken: Set<string>, now: number): string {
  const base = sources[0] ?? String(now);
  let name = base;
  for (let count = 2; taken.has(name); count++) name = `${base}.${count}`;
  taken.add(name);
  return name;
}
