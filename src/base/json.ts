/** Plain JSON values: what metadata, payloads and event bodies are made of. */
import { z } from "zod";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Deeper than anyone nests by hand: what goes on is a loop, or meant to exhaust the stack. */
export const MAX_JSON_DEPTH = 100;

const plainSchema: z.ZodType<Json> = z.lazy(() =>
  z.union([
    z.string(),
    z.number(),
    z.boolean(),
    z.null(),
    z.array(plainSchema),
    z.record(z.string(), plainSchema),
  ]),
);

export const jsonSchema: z.ZodType<Json> = z.preprocess(refuseTraps, plainSchema);

export const jsonObjectSchema: z.ZodType<JsonObject> = z.preprocess(
  refuseTraps,
  z.record(z.string(), plainSchema),
);

/** What the schema itself would follow for ever or drop without a word. */
function refuseTraps(value: unknown, context: z.RefinementCtx): unknown {
  const message = findTrap(value, 0);
  if (message !== undefined) context.addIssue({ code: "custom", message });
  return value;
}

function findTrap(value: unknown, depth: number): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === MAX_JSON_DEPTH)
    return `must not contain itself, nor nest deeper than ${MAX_JSON_DEPTH} levels`;
  if (Object.hasOwn(value, "__proto__")) return 'must not have a key "__proto__"';
  for (const part of Object.values(value)) {
    const trap = findTrap(part, depth + 1);
    if (trap !== undefined) return trap;
  }
  return undefined;
}
