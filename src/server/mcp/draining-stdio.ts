/**
 * Standard input and output as a connection that loses nothing. Whoever pipes a few calls in and ends, or stops the process,
 * still gets the answers to what was asked before: the end of the input is passed on only when they are written. A call that
 * hangs does not keep the process for ever.
 */
import { type Readable, Transform, type Writable } from "node:stream";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/** So long answers are waited for. */
const PATIENCE_MS = 10_000;

export class DrainingStdio implements Transport {
  onclose?: Transport["onclose"];
  onerror?: Transport["onerror"];
  onmessage?: Transport["onmessage"];
  readonly #stdin: Readable;
  readonly #input: Transform;
  readonly #inner: StdioServerTransport;
  /** What was asked and not answered. */
  readonly #asked = new Set<RequestId>();
  #whenAnswered: (() => void) | undefined;

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin;
    this.#input = new Transform({
      transform: (chunk, _, passed) => passed(null, chunk),
      flush: (ended) => void this.#answered().then(() => ended()),
    });
    this.#inner = new StdioServerTransport(this.#input, stdout);
  }

  async start(): Promise<void> {
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => {
      this.#note(message);
      this.onmessage?.(message);
    };
    await this.#inner.start();
    this.#stdin.on("error", (error) => {
      this.onerror?.(error);
      // An input that failed has no end.
      this.finish();
    });
    this.#stdin.pipe(this.#input);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#inner.send(message);
    } finally {
      if (isJSONRPCResponse(message) && message.id !== undefined) this.#settle(message.id);
    }
  }

  /** Reads no more, answers what was asked, closes. */
  finish(): void {
    this.#stdin.unpipe(this.#input);
    this.#stdin.pause();
    this.#input.end();
  }

  async close(): Promise<void> {
    this.#stdin.unpipe(this.#input);
    this.#stdin.pause();
    await this.#inner.close();
  }

  #note(message: JSONRPCMessage): void {
    // Who listens is answered when it ends, and waits for nothing.
    if (isJSONRPCRequest(message) && message.method !== "subscriptions/listen") this.#asked.add(message.id);
    // What was taken back is not answered.
    else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
      this.#settle(message.params?.requestId);
  }

  #settle(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#asked.delete(id);
    if (this.#asked.size === 0) this.#whenAnswered?.();
  }

  async #answered(): Promise<void> {
    // What was read last reaches the other side in this turn of the loop.
    await new Promise((next) => setImmediate(next));
    if (this.#asked.size === 0) return;
    await new Promise<void>((resolve) => {
      const patience = setTimeout(resolve, PATIENCE_MS);
      this.#whenAnswered = () => {
        clearTimeout(patience);
        resolve();
      };
    });
  }
}
