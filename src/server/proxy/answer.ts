/**
 * What did the model answer? Read from a copy of the reply's bytes after all of them have gone to the client, whether they
 * came as one JSON value or as a stream of events, so that reading them can neither delay nor change one.
 */
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { z } from "zod";
import { withoutThoughts } from "../../models/think-filter.ts";
import { type Content, wordsOf } from "./chat-request.ts";

const partsSchema = z.array(z.looseObject({ text: z.string().optional() }));
const saidSchema = z.looseObject({ content: z.union([z.string(), partsSchema]).nullish() });
const choiceSchema = z.looseObject({
  index: z.int().default(0),
  message: saidSchema.nullish(),
  delta: saidSchema.nullish(),
  finish_reason: z.string().nullish(),
});
const replySchema = z.looseObject({ choices: z.array(choiceSchema) });

export interface Reply {
  readonly bytes: Uint8Array;
  readonly type: string;
  readonly encoding: string;
}

/**
 * The words; "" where there are none: only calls of tools, a refusal, a reply that broke off, several answers of which nobody
 * knows which one is taken.
 */
export function answerOf(reply: Reply): string {
  const text = new TextDecoder().decode(plainBytes(reply));
  const values = reply.type.includes("text/event-stream") ? eventsOf(text) : [text];
  const choices = values.flatMap((value) => replySchema.safeParse(parsed(value)).data?.choices ?? []);
  const isOne = choices.every(({ index }) => index === 0);
  const isEnded = choices.some(({ finish_reason }) => typeof finish_reason === "string");
  if (!isOne || !isEnded) return "";
  const said = choices.map(({ message, delta }) => rawWords(message?.content ?? delta?.content)).join("");
  return wordsOf(withoutThoughts(said));
}

/** Pieces of a stream are put together as they are, spaces and all. */
function rawWords(content: Content): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => text ?? "").join("");
}

/** The data of each event, without the mark that ends the stream. */
function eventsOf(text: string): string[] {
  return text
    .split(/\r\n\r\n|\n\n|\r\r/)
    .map((event) =>
      event
        .split(/\r\n|\n|\r/)
        .filter((line) => line.startsWith("data:"))
        .map((line) => line.slice("data:".length))
        .join("\n"),
    )
    .filter((data) => data.trim() !== "" && data.trim() !== "[DONE]");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A piece that is no JSON says nothing that could be remembered; the client has got it as it was.
    return undefined;
  }
}

/** Asked for plain, a server may compress nevertheless. */
function plainBytes({ bytes, encoding }: Reply): Uint8Array {
  const unpack = UNPACK[encoding];
  try {
    return unpack === undefined ? bytes : unpack(bytes);
  } catch {
    // Not what its header says, or too long: the client has got it as it was, and there is nothing to read.
    return new Uint8Array(0);
  }
}

const UNPACK: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, { maxOutputLength: MOST_BYTES }),
  br: (bytes) => brotliDecompressSync(bytes, { maxOutputLength: MOST_BYTES }),
  deflate: (bytes) => inflateSync(bytes, { maxOutputLength: MOST_BYTES }),
};

/** Of a reply that is longer nothing is read. */
export const MOST_BYTES = 32 * 1024 * 1024;
