/**
 * Whose memory does a request of mem0's mean? mem0 has one heap of memories with four labels; here scopes keep callers apart:
 *
 *   user_id              the scope of that name; agent_id and app_id beside it are labels of the memory
 *   agent_id, no user_id the scope "agent:ID", an agent's own memory
 *   app_id, no other     the scope "app:ID"
 *   run_id               the session; alone, within the scope that the key opens or the server was started with
 *
 * So a key that opens the scope "alice" reaches user_id "alice" and no other. What is public is seen by all, as everywhere.
 */
import { z } from "zod";
import { MemoryError } from "../../base/errors.ts";

export const ENTITY_NAMES = ["user_id", "agent_id", "app_id", "run_id"] as const;
export type EntityName = (typeof ENTITY_NAMES)[number];
export type Entities = { readonly [name in EntityName]?: string | null | undefined };

const one = z
  .string()
  .min(1)
  .max(256)
  .refine((id) => id !== "*", "* means everybody's, which nobody may ask for here");

export const entitiesShape = {
  user_id: one.nullish(),
  agent_id: one.nullish(),
  app_id: one.nullish(),
  run_id: one.nullish(),
};

/** The scope it names; undefined: only a session, or nothing. */
export function scopeNamed({ user_id, agent_id, app_id }: Entities): string | undefined {
  if (isNamed(user_id)) return user_id;
  if (isNamed(agent_id)) return `${AGENT}${agent_id}`;
  return isNamed(app_id) ? `${APP}${app_id}` : undefined;
}

/** As mem0 asks for it: nothing is done for nobody in particular. */
export function refuseNobody(entities: Entities): void {
  if (ENTITY_NAMES.some((name) => isNamed(entities[name]))) return;
  throw new MemoryError(
    "input_invalid",
    `Nobody is named. Valid: at least one of ${ENTITY_NAMES.join(", ")}, also within filters.`,
  );
}

/** The other way round: who a scope is called by mem0. */
export function entityOf(scope: string): Entities {
  if (scope.startsWith(AGENT)) return { agent_id: scope.slice(AGENT.length) };
  if (scope.startsWith(APP)) return { app_id: scope.slice(APP.length) };
  return { user_id: scope };
}

/** Both may name somebody, but not two. */
export function joined(one: Entities, other: Entities): Entities {
  const all: Partial<Record<EntityName, string>> = {};
  for (const name of ENTITY_NAMES) {
    const [first, second] = [one[name], other[name]].filter(isNamed);
    if (first !== undefined && second !== undefined && first !== second)
      throw new MemoryError("input_invalid", `Two different ${name} are named. Valid: one.`);
    if (first !== undefined) all[name] = first;
  }
  return all;
}

const AGENT = "agent:";
const APP = "app:";

function isNamed(id: string | null | undefined): id is string {
  return id !== null && id !== undefined;
}
