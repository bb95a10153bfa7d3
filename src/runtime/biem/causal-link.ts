/**
 * What followed from what (S4-7, B.4): praise that is high enough ties the memory that helped to the one that it answered, as
 * the design's own rule for causal links says; a link that is there grows.
 */
import { makeEdge } from "../../base/edge.ts";
import type { EntryId } from "../../base/ids.ts";
import { type LinkRoutingOptions, linkRoutingOptions, planLinkRouting } from "../../policies/link-routing.ts";
import type { Running } from "../running.ts";
import type { NodePlace } from "./memory-node.ts";

const PROVENANCE = "feedback";

/** Whether there is such a link now. */
export async function linkCause(
  { running, scope }: NodePlace,
  answer: EntryId,
  question: EntryId,
  confidence: number,
): Promise<boolean> {
  const options = routingOf(running);
  if (options === undefined || answer === question) return false;
  const { storage, design, clock } = running;
  const { collection } = design.service;
  const leaving = (await storage.edges(scope, collection, [answer])).filter(
    ({ from, scope: owner, provenance }) => from === answer && owner === scope && provenance === PROVENANCE,
  );
  const { set, drop } = planLinkRouting({
    entry: { id: answer, at: clock.now() },
    ...{ recent: [], similar: [], causes: [{ id: question, confidence }] },
    existing: leaving.map(({ to, type, weight }) => ({ to, type, weight })),
    options,
  });
  const now = clock.now();
  const put = set.map((link) =>
    makeEdge({ ...link, from: answer, directed: true, provenance: PROVENANCE }, scope, now),
  );
  if (put.length + drop.length > 0) {
    await storage.commit(
      scope,
      [
        ...put.map((edge) => ({ op: "edge-put" as const, edge })),
        ...drop.map(({ to, type }) => ({ op: "edge-remove" as const, edge: { from: answer, to, type } })),
      ],
      { actor: "biem", cause: "feedback" },
      { collection },
    );
  }
  return [...leaving, ...put].some(({ to }) => to === question);
}

function routingOf({ design }: Running): LinkRoutingOptions | undefined {
  const routes = design.preset.stages.post_insert.find(({ action }) => action === "route_links");
  const { every_turns: _, ...options } = routes?.options ?? {};
  return linkRoutingOptions.safeParse(options).data;
}
