/** What can go wrong, as the description for programs has it: every code there is, under the status it comes with. */
import { ERROR_KINDS } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";

function codesByStatus(): Map<number, string[]> {
  const codes = new Map<number, string[]>();
  for (const [code, { http }] of Object.entries(ERROR_KINDS))
    codes.set(http, [...(codes.get(http) ?? []), code]);
  return new Map([...codes].sort(([a], [b]) => a - b));
}

export function errorReferences(): JsonObject {
  return Object.fromEntries(
    [...codesByStatus().keys()].map((status) => [
      String(status),
      { $ref: `#/components/responses/Error${status}` },
    ]),
  );
}

export function errorResponses(): JsonObject {
  return Object.fromEntries(
    [...codesByStatus()].map(([status, codes]) => [
      `Error${status}`,
      {
        description: codes.join(", "),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

export function errorSchema(): JsonObject {
  const properties = {
    code: { type: "string", enum: Object.keys(ERROR_KINDS), description: "What to decide by." },
    message: { type: "string", description: "What was wrong, where, and what would be valid." },
    retryable: { type: "boolean", description: "Whether the same request may go well later." },
    details: { type: "object", description: "Ids, limits and valid names." },
    requestId: { type: "string", description: "Under which the server's log has it." },
  };
  const error = { type: "object", properties, required: Object.keys(properties) };
  return { type: "object", properties: { error }, required: ["error"] };
}
