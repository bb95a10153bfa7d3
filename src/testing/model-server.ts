/**
 * An OpenAI-compatible server that does what it is told, on a real socket of this machine: good replies and every way to
 * fail. Scripts are a reply, a list of replies (the last one repeats), or a function of the request; without one, chats echo
 * the last message and embeddings are a fixed function of the text. Every request is kept for inspection.
 *
 *     const server = await startModelServer({ chat: [{ status: 429, headers: { "retry-after": "2" } }, "hello"] });
 *     const model = openAiCompatible(resolveEndpoint("test", { baseUrl: server.url, model: "m" }));
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { type Json, type JsonObject, jsonObjectSchema } from "../base/json.ts";

/** A whole reply, in the words of the API, or a way not to give one. A string is a reply's text. */
export type ServerReply =
  | string
  | {
      readonly text?: string | null;
      readonly toolCalls?: readonly { readonly name: string; readonly arguments: Json }[];
      readonly finish?: string;
      readonly refusal?: string;
      readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number } | null;
      /** Milliseconds between the pieces of a streamed reply. */
      readonly pauseMs?: number;
    }
  /** Any status with any body. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: Json }
  /** No answer, until the client gives up. */
  | { readonly fault: "hang" }
  /** The connection breaks in the middle of the body; a stream says `text` before. */
  | { readonly fault: "cut"; readonly text?: string }
  /** No choice in the reply. */
  | { readonly fault: "empty_choices" }
  /** A web page where JSON should be. */
  | { readonly fault: "not_json" };

export interface SeenRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: JsonObject;
}

export type Script =
  | ServerReply
  | readonly ServerReply[]
  | ((request: SeenRequest) => ServerReply | undefined);

export interface ModelServerOptions {
  readonly chat?: Script;
  /** Only its failures are used; a function may answer undefined to let the vectors through. */
  readonly embed?: Script;
  readonly rank?: Script;
  /** Of the vectors (default 8). */
  readonly dimension?: number;
}

export interface ModelServer {
  /** The base URL, with its /v1. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const requests: SeenRequest[] = [];
  const next = {
    "/v1/chat/completions": player(options.chat),
    "/v1/embeddings": player(options.embed),
    "/v1/rerank": player(options.rank),
  };
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = incoming.url ?? "";
    const request = { path, headers: incoming.headers, body: await bodyOf(incoming) };
    requests.push(request);
    const play = Object.entries(next).find(([known]) => known === path)?.[1];
    if (play === undefined) return sendJson(response, 404, { error: { message: `no such path: ${path}` } });
    const reply = play(request);
    if (typeof reply === "object" && "status" in reply) {
      return sendJson(response, reply.status, reply.body ?? {}, reply.headers);
    }
    if (typeof reply === "object" && "fault" in reply) return fail(response, request, reply);
    if (path === "/v1/embeddings")
      return sendJson(response, 200, embeddings(request, options.dimension ?? 8));
    if (path === "/v1/rerank") return sendJson(response, 200, ranking(request));
    return sendChat(response, request, reply);
  };
  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressSchema.parse(server.address()) satisfies Pick<AddressInfo, "port">;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What the server answers to a text by default: a fixed vector that tells texts apart. */
export function vectorOf(text: string, dimension: number): number[] {
  const vector: number[] = Array.from({ length: dimension }, (_, at) => (at === 0 ? 1 : 0));
  let state = 7;
  for (const char of text) {
    state = (Math.imul(state, 31) + (char.codePointAt(0) ?? 0)) | 0;
    const place = Math.abs(state) % dimension;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

const addressSchema = z.object({ port: z.number() });

function player(script: Script | undefined): (request: SeenRequest) => ServerReply | undefined {
  if (script === undefined) return () => undefined;
  if (typeof script === "function") return script;
  const replies = isList(script) ? script : [script];
  let at = 0;
  return () => replies[Math.min(at++, replies.length - 1)];
}

function isList(script: ServerReply | readonly ServerReply[]): script is readonly ServerReply[] {
  return Array.isArray(script);
}

async function bodyOf(incoming: IncomingMessage): Promise<JsonObject> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return jsonObjectSchema.parse(JSON.parse(Buffer.concat(chunks).toString() || "{}"));
}

function sendJson(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(typeof body === "string" ? body : JSON.stringify(body));
}

async function fail(
  response: ServerResponse,
  request: SeenRequest,
  reply: Extract<ServerReply, { readonly fault: string }>,
): Promise<void> {
  switch (reply.fault) {
    case "hang":
      return;
    case "empty_choices":
      return sendJson(response, 200, { choices: [] });
    case "not_json":
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>Sign in to continue</html>");
      return;
    case "cut": {
      if (request.body.stream === true) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        if (reply.text !== undefined) {
          response.write(event({ choices: [{ delta: { content: reply.text }, finish_reason: null }] }));
        }
      } else {
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
        response.write('{"choices":[{"message":{"content":"');
      }
      // What was written leaves first, then the line goes dead.
      await pause(5);
      response.destroy();
    }
  }
}

async function sendChat(
  response: ServerResponse,
  request: SeenRequest,
  scripted: Exclude<ServerReply, { readonly fault: string } | { readonly status: number }> | undefined,
): Promise<void> {
  const reply = typeof scripted === "object" ? scripted : { text: scripted ?? lastMessage(request) };
  const usage =
    reply.usage === undefined
      ? { prompt_tokens: 11, completion_tokens: reply.text?.length ?? 0 }
      : reply.usage;
  const calls = (reply.toolCalls ?? []).map((call, index) => ({
    index,
    id: `call-${index}`,
    type: "function",
    function: {
      name: call.name,
      arguments: typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments),
    },
  }));
  const finish_reason = reply.finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  const extra = {
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
    ...(reply.refusal === undefined ? {} : { refusal: reply.refusal }),
  };
  if (request.body.stream !== true) {
    const message = { role: "assistant", content: reply.text ?? null, ...extra };
    return sendJson(response, 200, {
      id: "x",
      choices: [{ index: 0, message, finish_reason }],
      ...(usage === null ? {} : { usage }),
    });
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(": a comment\n\n");
  for (const piece of reply.text?.match(/[\s\S]{1,3}/gu) ?? []) {
    response.write(event({ choices: [{ delta: { content: piece }, finish_reason: null }] }));
    if (reply.pauseMs !== undefined) await pause(reply.pauseMs);
  }
  response.write(event({ choices: [{ delta: extra, finish_reason }] }));
  if (usage !== null) response.write(event({ choices: [], usage }));
  response.end("data: [DONE]\n\n");
}

function event(data: Json): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

const messagesSchema = z.array(z.looseObject({ content: z.string().nullish() }));

function lastMessage(request: SeenRequest): string {
  return messagesSchema.parse(request.body.messages).at(-1)?.content ?? "";
}

const texts = z.array(z.string());

function embeddings({ body }: SeenRequest, dimension: number): Json {
  const input = texts.parse(body.input);
  const data = input.map((text, index) => ({ index, embedding: vectorOf(text, dimension) }));
  // Backwards, for the order is the index's to tell.
  return { data: data.reverse(), usage: { prompt_tokens: input.join(" ").length, total_tokens: 0 } };
}

function ranking({ body }: SeenRequest): Json {
  const query = z.string().parse(body.query);
  const results = texts.parse(body.documents).map((text, index) => ({
    index,
    relevance_score: [...query].filter((char) => text.includes(char)).length / query.length,
  }));
  return { results: results.sort((a, b) => b.relevance_score - a.relevance_score) };
}

const askedSchema = z.looseObject({ json_schema: z.looseObject({ schema: jsonObjectSchema }) });

/** Ways to give good data in a bad form. */
export const bent = {
  fenced: (data: Json): string =>
    `Here you are:\n\n\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\`\nAnything else?`,
  /** Cut off after this part of its length. */
  truncated: (data: Json, part = 0.7): string => {
    const text = JSON.stringify(data);
    return text.slice(0, Math.floor(text.length * part));
  },
  /** The schema that was asked for, as the answer. */
  echo: (request: SeenRequest): string =>
    JSON.stringify(askedSchema.parse(request.body.response_format).json_schema.schema),
} as const;
