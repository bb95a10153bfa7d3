/**
 * Who asks, and for which memory? Every door asks here and nowhere else, so there is one place where a key, a scope and what
 * somebody wants to do are held against each other. What comes back is a memory bound to one scope: whatever else a request
 * says, there is no way from it to another.
 */
import { MemoryError } from "../base/errors.ts";
import { parseScope, type Scope } from "../base/scope.ts";
import type { Effect } from "../operations/index.ts";
import type { Access, Caller, CallerOf, Server, ServerContext } from "./server.ts";

export const SCOPE_HEADER = "neuromem-scope";

/** Without keys: whoever reaches a loopback address is the machine's own. */
const OPEN: Access = { key: null, scopes: "all", may: "write" };

export const callerOf: CallerOf = (context, server, effect) => callerFor(context, server, effect, undefined);

/** For a door whose requests name the scope in a place of their own, as mem0's do in user_id; undefined: this one does not. */
export async function callerFor(
  context: ServerContext,
  server: Server,
  effect: Effect,
  named: string | undefined,
): Promise<Caller> {
  if (server.closing.aborted) {
    throw new MemoryError("server_closing", "The server is ending. Valid: try again in a moment.");
  }
  const access = await accessOf(context, server);
  if (effect !== "read" && access.may === "read") {
    throw new MemoryError(
      "key_forbidden",
      "This key may read and not change anything. Valid: a key that was made without --read-only.",
    );
  }
  return { access, memory: server.memory.in(scopeOf(context, server, access, named)) };
}

/** What the key that was shown allows; known for the rest of the request. */
export async function accessOf(context: ServerContext, server: Pick<Server, "keys">): Promise<Access> {
  const known = context.get("access");
  if (known !== undefined) return known;
  const access = await find(context, server);
  context.set("access", access);
  return access;
}

async function find(context: ServerContext, { keys }: Pick<Server, "keys">): Promise<Access> {
  if (keys === null) return OPEN;
  const secret = shownKey(context);
  if (secret === undefined) {
    throw new MemoryError(
      "key_invalid",
      'This server asks for a key. Valid: the header "Authorization: Bearer KEY" or "x-api-key: KEY"; neuromem key create makes one.',
    );
  }
  const access = await keys.find(secret);
  if (access !== undefined) return access;
  throw new MemoryError(
    "key_invalid",
    "There is no such key, or it has expired or was revoked. Valid: one that neuromem key create gave and neuromem key list shows.",
  );
}

/** As "Bearer KEY", or "Token KEY", which clients of mem0 send; x-api-key goes first, for behind a proxy the other is somebody else's. */
function shownKey(context: ServerContext): string | undefined {
  const own = context.req.header("x-api-key");
  const authorization = context.req.header("authorization");
  if (own !== undefined || authorization === undefined) return own;
  return /^(?:bearer|token) +(\S+)$/i.exec(authorization)?.[1];
}

function scopeOf(
  context: ServerContext,
  server: Pick<Server, "scope">,
  access: Access,
  named: string | undefined,
): Scope {
  const scope = parseScope(askedScope(context, named) ?? ownScope(access) ?? server.scope);
  if (access.scopes === "all" || access.scopes.includes(scope)) return scope;
  throw new MemoryError("scope_forbidden", `This key does not open the scope "${scope}".`, {
    details: { scope },
  });
}

/** In the header, in the query, or where a door has it; in several places where they say the same. */
function askedScope(context: ServerContext, named: string | undefined): string | undefined {
  const all = [headerScope(context.req.header(SCOPE_HEADER)), ...(context.req.queries("scope") ?? []), named];
  const [scope, ...others] = new Set(all.filter((one) => one !== undefined));
  if (others.length === 0) return scope;
  throw new MemoryError(
    "input_invalid",
    `The request names several scopes. Valid: one, in the header ${SCOPE_HEADER} or in the query as scope.`,
  );
}

/** A header carries ASCII: other letters come percent-encoded, or they would be taken for others. */
function headerScope(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  try {
    if (/^[\x21-\x7e]+$/.test(value)) return decodeURIComponent(value);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
  }
  throw new MemoryError(
    "scope_invalid",
    `The header ${SCOPE_HEADER} is not readable. Valid: a scope's name, percent-encoded where it is not ASCII, as encodeURIComponent writes it.`,
  );
}

/** undefined: the key is for all, and the server's own is meant. */
function ownScope({ scopes }: Access): string | undefined {
  if (scopes === "all") return undefined;
  const [only, ...others] = scopes;
  if (only !== undefined && others.length === 0) return only;
  throw new MemoryError(
    "input_invalid",
    `This key opens several scopes, and the request names none. Valid: one of them in the header ${SCOPE_HEADER}, or in the query as scope.`,
    { details: { scopes: [...scopes] } },
  );
}
