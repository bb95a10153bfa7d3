/** A reply on its way from the model's server to the client: byte for byte, as it comes, and no faster than it is taken. */
import { type IncomingMessage, ServerResponse } from "node:http";
import type { ServerContext } from "../server.ts";
import { replyHeaders } from "./headers.ts";

/** How it ended: all of it arrived, the server broke off, or the client went away. */
export type Ending = "whole" | "broken" | "left";

export interface Listener {
  piece(bytes: Uint8Array): void;
  end(ending: Ending): void;
}

/** These have no body, whatever is sent with them. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

export function relay(
  context: ServerContext,
  incoming: IncomingMessage,
  more: Readonly<Record<string, string>> = {},
  listener?: Listener,
): Response {
  const status = incoming.statusCode ?? 502;
  const headers = replyHeaders(incoming);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  if (context.req.method === "HEAD" || WITHOUT_BODY.includes(status)) {
    incoming.resume();
    listener?.end("whole");
    return new Response(null, { status, headers });
  }
  // What has no length is sent as it comes, from the first byte on.
  if (!headers.has("content-length")) headers.set("transfer-encoding", "chunked");
  return new Response(bodyOf(context, incoming, listener), { status, headers });
}

function bodyOf(
  context: ServerContext,
  incoming: IncomingMessage,
  listener: Listener | undefined,
): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (done !== true) {
          listener?.piece(value);
          controller.enqueue(value);
          return;
        }
      } catch (error) {
        listener?.end("broken");
        // The client is told in the only way that is left: its line breaks, too.
        if (!hangUp(context)) controller.error(error);
        else controller.close();
        return;
      }
      listener?.end("whole");
      controller.close();
    },
    cancel() {
      incoming.destroy();
      listener?.end("left");
    },
  });
}

/** false: there is no line to break, as where an app is called without a socket. */
function hangUp(context: ServerContext): boolean {
  const bindings: unknown = context.env;
  if (typeof bindings !== "object" || bindings === null || !("outgoing" in bindings)) return false;
  const { outgoing } = bindings;
  if (!(outgoing instanceof ServerResponse)) return false;
  outgoing.destroy();
  return true;
}
