/** How does it stand with canvas, web and crystal, with energy and links? */
import { ARCHIVED } from "../../base/entry.ts";
import type { EntryId } from "../../base/ids.ts";
import { isNode } from "../../services/graph/entity.ts";
import type { BiemStats } from "./biem.ts";
import { conflictsOf } from "./conflicts.ts";
import { allLinks } from "./crystal.ts";
import { bandOf, type EnergyBand } from "./energy-bands.ts";
import { energyPolicy, LINK_TYPES, type NodePlace } from "./memory-node.ts";

const PAGE = 4096;

export async function statsOf(
  place: NodePlace,
  names: { readonly canvas: string; readonly web: string; readonly crystal: string },
): Promise<BiemStats> {
  const { running, scope } = place;
  const { storage, design, clock } = running;
  const { score } = energyPolicy(running);
  const now = clock.now();
  const counts = new Map<string, number>();
  const bands: Record<EnergyBand, number> = { hot: 0, warm: 0, cold: 0, fading: 0, faint: 0 };
  let [sum, all] = [0, 0];
  for (let after: EntryId | undefined; ; ) {
    const page = await storage.vitals(scope, { collection: design.service.collection, after, limit: PAGE });
    for (const one of page) {
      if (one.tier === null || one.tier === ARCHIVED || isNode(one.kind)) continue;
      const energy = score(one, now);
      counts.set(one.tier, (counts.get(one.tier) ?? 0) + 1);
      bands[bandOf(energy)]++;
      sum += energy;
      all++;
    }
    after = page.at(-1)?.id;
    if (page.length < PAGE) break;
  }
  const of = (tier: string): number => counts.get(tier) ?? 0;
  const links: Record<string, number> = Object.fromEntries(LINK_TYPES.map((type) => [type, 0]));
  for (const { type } of await allLinks(place)) links[type] = (links[type] ?? 0) + 1;
  return {
    tiers: {
      [names.canvas]: of(names.canvas),
      [names.web]: of(names.canvas) + of(names.web),
      [names.crystal]: of(names.crystal),
    },
    energy: { mean: all === 0 ? 0 : sum / all, bands },
    links,
    conflicts: (await conflictsOf(place)).length,
  };
}
