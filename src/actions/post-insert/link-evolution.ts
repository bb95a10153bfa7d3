/** Links between memories are made, strengthened, weakened or dropped (S0-35, S0-93; HippoRAG, A-Mem). */
import { linkEvolution as trigger } from "../../services/triggers/link-evolution.ts";
import { delegated } from "./delegate/delegated.ts";
import { linkClaims } from "./delegate/link-claims.ts";

export const linkEvolution = delegated({
  trigger,
  subtype: "link_policy",
  claims: linkClaims,
  shorthands: {
    synonym_edge: { link_policy: "synonym_edge" },
    strengthen: { link_policy: "strengthen" },
    activate: { link_policy: "activate" },
    auto_link: { link_policy: "auto_link" },
    evolve_note: { link_policy: "evolve_note" },
  },
});
