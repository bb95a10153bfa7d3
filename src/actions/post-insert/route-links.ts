/** Each new memory is tied to what came shortly before, to what is alike, and to its causes (S4-7, S4-16; BIEM). */
import { linkRoutingOptions } from "../../policies/link-routing.ts";
import { linkEvolution as trigger } from "../../services/triggers/link-evolution.ts";
import { delegated } from "./delegate/delegated.ts";
import { linkClaims } from "./delegate/link-claims.ts";

export const routeLinks = delegated({
  trigger,
  name: "route_links",
  summary: "Ties new memories to what came shortly before, what is alike and what caused them.",
  options: linkRoutingOptions,
  fixed: { link_policy: "route" },
  claims: linkClaims,
});
