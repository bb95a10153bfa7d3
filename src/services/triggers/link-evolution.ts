/** How do the links between memories change? By one of several policies, each a file of the folder beside this one. */
import { z } from "zod";
import { evolveNote } from "../../tasks/evolve-note.ts";
import { activate, activateOptions } from "./link-evolution/activate.ts";
import { autoLink, autoLinkOptions } from "./link-evolution/auto-link.ts";
import { evolveLinksOnce, evolveLinksPolicyOptions } from "./link-evolution/evolve-links.ts";
import { evolveNoteOptions, evolveNotes } from "./link-evolution/evolve-note.ts";
import type { LinkPolicyReport } from "./link-evolution/link-policy.ts";
import { route, routeOptions } from "./link-evolution/route.ts";
import { strengthen, strengthenPolicyOptions } from "./link-evolution/strengthen.ts";
import { synonymEdge, synonymEdgeOptions } from "./link-evolution/synonym-edge.ts";
import { defineTrigger, report } from "./trigger.ts";

const options = z.discriminatedUnion("link_policy", [
  synonymEdgeOptions,
  strengthenPolicyOptions,
  activateOptions,
  autoLinkOptions,
  evolveNoteOptions,
  evolveLinksPolicyOptions,
  routeOptions,
]);

export const linkEvolution = defineTrigger({
  name: "link_evolution",
  summary: "Makes, strengthens, weakens or drops links between memories.",
  options,
  prompts(given) {
    if (given.link_policy === "auto_link") return [{ task: evolveNote, prompt: given.auto_link_prompt }];
    return given.link_policy === "evolve_note" ? [{ task: evolveNote, prompt: given.prompt }] : [];
  },
  async run(context, given, entries) {
    const run = (): Promise<LinkPolicyReport> => {
      switch (given.link_policy) {
        case "synonym_edge":
          return synonymEdge(context, given, entries);
        case "strengthen":
          return strengthen(context, given, entries);
        case "activate":
          return activate(context, given, entries);
        case "auto_link":
          return autoLink(context, given, entries);
        case "evolve_note":
          return evolveNotes(context, given, entries);
        case "evolve_links":
          return evolveLinksOnce(context, given, entries);
        case "route":
          return route(context, given, entries);
      }
    };
    const done = await run();
    return report(
      "link_evolution",
      done.edges > 0 ? done : { ...done, reason: done.reason ?? reasonOf(done) },
    );
  },
});

function reasonOf({ examined }: LinkPolicyReport): string {
  return examined === 0
    ? "There was nothing to look over."
    : "Nothing new was near enough, or used, since the links were last looked over.";
}
