/**
 * mem0's REST, so that whoever uses it moves by changing the base URL to http://127.0.0.1:8765/mem0: the platform's API in its
 * versions v1, v2 and v3, and that of mem0's own server (/memories, /search). Keys of ours are shown as mem0's are
 * ("Authorization: Token KEY") or in any other way. Who is meant by user_id and the like: entities.ts.
 *
 * What mem0 can do and this door does not is refused with a sentence (NOT_DONE, requests.ts), never passed over. Differences
 * that cannot be refused: scores are not on mem0's scale of 0 to 1; a memory may be a turn as it was said, not a fact that was
 * read out of it (the design decides); lists come in the order they were stored; deleting is for good, with what a memory was
 * made from and what was made of it.
 */
import type { Context } from "hono";
import { MemoryError } from "../../base/errors.ts";
import { parseInput } from "../../base/parse-input.ts";
import type { Effect } from "../../operations/index.ts";
import type { Memory } from "../../runtime/memory.ts";
import { accessOf, callerFor } from "../access.ts";
import { bodyJson } from "../body.ts";
import type { Access, Door, Server, ServerContext, ServerEnv } from "../server.ts";
import { add, readAdd } from "./add.ts";
import { type Entities, refuseNobody, scopeNamed } from "./entities.ts";
import { eraseAll } from "./erase.ts";
import { list, search, wantedBy, withFields } from "./find.ts";
import { readId } from "./memory-id.ts";
import { viewsOf } from "./memory-view.ts";
import { pastOf } from "./past.ts";
import { deleteAllSchema, deleteSchema, listSchema, searchSchema } from "./requests.ts";

/** The shape of a reply: a bare list, one with its wrapper, or a page. */
type Shape = "list" | "results" | "page";

export const mountMem0: Door = (app, server) => {
  const on = (
    method: string,
    paths: readonly string[],
    handle: (context: ServerContext, server: Server) => Promise<Response>,
  ): void => {
    // mem0's clients end their paths with a slash, people do not.
    const all = paths.flatMap((path) => [`/mem0${path}`, `/mem0${path}/`]);
    app.on(method, all, async (context: Context<ServerEnv>) => {
      // Who shows no key has no body read.
      await accessOf(context, server);
      return handle(context, server);
    });
  };
  on("GET", ["/v1/ping"], ping);
  on("POST", ["/v1/memories"], (context) => addMessages(context, server, "list"));
  on("POST", ["/memories"], (context) => addMessages(context, server, "results"));
  on("POST", ["/v3/memories/add"], (context) => addMessages(context, server, "page"));
  on("POST", ["/v1/memories/search", "/v2/memories/search"], (context) => searchFor(context, server, "list"));
  on("POST", ["/v3/memories/search", "/search"], (context) => searchFor(context, server, "results"));
  on("GET", ["/v1/memories"], (context) => listAll(context, server, "list"));
  on("GET", ["/memories"], (context) => listAll(context, server, "results"));
  on("POST", ["/v2/memories"], (context) => listAll(context, server, "list"));
  on("POST", ["/v3/memories"], (context) => listAll(context, server, "page"));
  on("GET", ["/v1/memories/:id", "/memories/:id"], getOne);
  on("GET", ["/v1/memories/:id/history", "/memories/:id/history"], history);
  on("DELETE", ["/v1/memories/:id", "/memories/:id"], deleteOne);
  on("DELETE", ["/v1/memories", "/memories"], deleteAll);
  on("DELETE", ["/v2/entities/:type/:name"], deleteEntity);
  for (const [method, path] of NOT_DONE) on(method, [path], refuse);
};

/** What clients of mem0 may ask for and do not get here. */
const NOT_DONE: readonly (readonly [string, string])[] = [
  ["PUT", "/v1/memories/:id"],
  ["PUT", "/memories/:id"],
  ["PUT", "/v1/batch"],
  ["DELETE", "/v1/batch"],
  ["GET", "/v1/entities"],
  ["POST", "/v1/feedback"],
  ["POST", "/v1/exports"],
  ["GET", "/v1/events"],
  ["GET", "/v1/event/:id"],
  ["POST", "/configure"],
  ["POST", "/reset"],
];

async function refuse({ req }: ServerContext): Promise<Response> {
  throw new MemoryError(
    "capability_missing",
    `${req.method} ${req.path.slice(0, 100)} of mem0's API is not done here. Valid: add, search, get_all, get, history, delete, delete_all, delete_users; to change a memory, delete it and add what holds now.`,
  );
}

async function ping(context: ServerContext): Promise<Response> {
  return context.json({ status: "ok", org_id: null, project_id: null, user_email: null });
}

async function addMessages(context: ServerContext, server: Server, shape: Shape): Promise<Response> {
  const given = readAdd(await bodyJson(context, server.limits.bodyBytes));
  refuseNobody(given);
  const { memory, isNamed } = await callerNamed(context, server, "write", given);
  const { results, isDone } = await add(memory, given, isNamed);
  if (shape === "page") {
    const status = isDone ? "SUCCEEDED" : "PENDING";
    const message = isDone ? "It has been taken up." : "It is written down and taken up in the background.";
    return context.json({ message, status, results });
  }
  if (shape === "results" || given.output_format === "v1.1") return context.json({ results });
  return context.json(results.map((one) => ({ ...one, data: { memory: one.memory } })));
}

async function searchFor(context: ServerContext, server: Server, shape: Shape): Promise<Response> {
  const body = await bodyJson(context, server.limits.bodyBytes);
  const given = parseInput(searchSchema, body, "search");
  const wanted = wantedBy(given, { isPlainMetadata: isOwnServer(context) });
  const { memory, isNamed } = await callerNamed(context, server, "read", wanted.entities);
  const found = await search(memory, given, wanted, { isNamed, signal: context.req.raw.signal });
  const results = withFields(found, given.fields);
  return context.json(shape === "results" || given.output_format === "v1.1" ? { results } : results);
}

async function listAll(context: ServerContext, server: Server, shape: Shape): Promise<Response> {
  const isQuery = context.req.method === "GET";
  const body = isQuery ? {} : await bodyJson(context, server.limits.bodyBytes);
  const query = queryOf(context);
  const given = parseInput(listSchema, isQuery ? query : { ...Object(body), ...query }, "list");
  const wanted = wantedBy(given, { isPlainMetadata: isOwnServer(context) });
  const { memory, isNamed } = await callerNamed(context, server, "read", wanted.entities);
  const page = given.page ?? 1;
  const size = given.page_size ?? given.limit ?? USUAL_PAGE;
  const { count, views } = await list(memory, wanted, { page, size, isNamed });
  const results = withFields(views, given.fields);
  if (shape === "page" || (shape === "list" && typeof given.page === "number")) {
    const at = (number: number): string => {
      const url = new URL(context.req.url);
      url.searchParams.set("page", String(number));
      url.searchParams.set("page_size", String(size));
      return url.pathname + url.search;
    };
    const next = page * size < count ? at(page + 1) : null;
    return context.json({ count, next, previous: page > 1 ? at(page - 1) : null, results });
  }
  return context.json(shape === "results" || given.output_format === "v1.1" ? { results } : results);
}

const USUAL_PAGE = 100;

async function getOne(context: ServerContext, server: Server): Promise<Response> {
  const { memory, isNamed, id } = await callerOfId(context, server, "read");
  const [view] = await viewsOf(memory, [await memory.get(id)], isNamed);
  return context.json(view ?? null);
}

async function history(context: ServerContext, server: Server): Promise<Response> {
  const { memory, id, shownId } = await callerOfId(context, server, "read");
  return context.json(await pastOf(memory, id, shownId));
}

async function deleteOne(context: ServerContext, server: Server): Promise<Response> {
  parseInput(deleteSchema, queryOf(context), "query of delete");
  const { memory, id } = await callerOfId(context, server, "erase");
  await memory.forget({ id });
  return context.json({ message: "Memory deleted successfully!" });
}

async function deleteAll(context: ServerContext, server: Server): Promise<Response> {
  const given = parseInput(deleteAllSchema, queryOf(context), "query of delete_all");
  refuseNobody(given);
  const { memory } = await callerNamed(context, server, "erase", given);
  await eraseAll(memory, given);
  return context.json({ message: "Memories deleted successfully!" });
}

async function deleteEntity(context: ServerContext, server: Server): Promise<Response> {
  const type = context.req.param("type") ?? "";
  const given = parseInput(
    deleteAllSchema,
    { [`${type}_id`]: context.req.param("name") },
    "entity to delete",
  );
  const { memory } = await callerNamed(context, server, "erase", given);
  await eraseAll(memory, given);
  return context.json({ message: "Entity deleted successfully!" });
}

interface Mem0Caller {
  readonly memory: Memory;
  /** Whether ids have to say whose they are: without a name the caller's key would lead elsewhere. */
  readonly isNamed: boolean;
}

async function callerNamed(
  context: ServerContext,
  server: Server,
  effect: Effect,
  entities: Entities,
): Promise<Mem0Caller> {
  return callerIn(context, server, effect, scopeNamed(entities));
}

async function callerOfId(context: ServerContext, server: Server, effect: Effect) {
  const shownId = context.req.param("id") ?? "";
  const { id, scope } = readId(shownId);
  return { ...(await callerIn(context, server, effect, scope)), id, shownId };
}

async function callerIn(
  context: ServerContext,
  server: Server,
  effect: Effect,
  scope: string | undefined,
): Promise<Mem0Caller> {
  const { access, memory } = await callerFor(context, server, effect, scope);
  return { memory, isNamed: memory.scope !== usualScope(access, server) };
}

/** Where somebody gets who names nobody. */
function usualScope({ scopes }: Access, server: Server): string | undefined {
  if (scopes === "all") return server.scope;
  return scopes.length === 1 ? scopes[0] : undefined;
}

/** What was said twice stays two, and is refused as such. */
function queryOf({ req }: ServerContext): Record<string, string | readonly string[]> {
  const { scope: _, ...all } = req.queries();
  return Object.fromEntries(
    Object.entries(all).map(([name, [first = "", ...more]]) => [
      name,
      more.length === 0 ? first : [first, ...more],
    ]),
  );
}

/** mem0's own server, whose paths have no version. */
function isOwnServer({ req }: ServerContext): boolean {
  return !/^\/mem0\/v\d\//.test(req.path);
}
