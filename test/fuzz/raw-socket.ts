/**
 * Bytes onto a socket, and what comes back: for requests that no client would send. Who is owed nothing yet (the server waits
 * for the rest of a request) closes its side after a moment; then the server has to answer or to hang up.
 */
import { connect } from "node:net";
import { ANSWER_MS } from "./send.ts";

const PATIENCE_MS = 1000;
const HEAD_END = "\r\n\r\n";

/** All that came until the answer was whole, the connection ended, or it turned out to be a stream without an end. */
export function exchange(url: string, bytes: Buffer): Promise<Buffer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    const finish = (): void => {
      clearTimeout(impatience);
      clearTimeout(deadline);
      socket.destroy();
      resolve(Buffer.concat(pieces));
    };
    const impatience = setTimeout(() => socket.end(), PATIENCE_MS);
    const deadline = setTimeout(() => {
      socket.destroy();
      reject(new Error(`No answer in ${ANSWER_MS} ms, and no end of the connection.`));
    }, ANSWER_MS);
    socket.on("data", (piece) => {
      pieces.push(piece);
      if (isWhole(Buffer.concat(pieces))) finish();
    });
    // A connection that the server cuts is an answer, too.
    socket.on("error", finish);
    socket.on("close", finish);
  });
}

function isWhole(bytes: Buffer): boolean {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return false;
  const head = bytes.subarray(0, headEnd).toString("latin1").toLowerCase();
  if (head.startsWith("http/1.1 100")) return isWhole(bytes.subarray(headEnd + HEAD_END.length));
  if (head.includes("content-type: text/event-stream")) return true;
  const length = /content-length: (\d+)/.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= headEnd + HEAD_END.length + Number(length);
  return head.includes("transfer-encoding: chunked") && bytes.toString("latin1").endsWith(`0${HEAD_END}`);
}

export interface RawReply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** The first answer among the bytes; undefined: the connection was cut without one. */
export function firstReply(bytes: Buffer): RawReply | undefined {
  const text = bytes.toString("utf8");
  if (text.startsWith("HTTP/1.1 100")) {
    return firstReply(bytes.subarray(bytes.indexOf(HEAD_END) + HEAD_END.length));
  }
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  if (status === undefined) return undefined;
  const [head = "", ...rest] = text.split(HEAD_END);
  const after = Buffer.from(rest.join(HEAD_END));
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? after.length);
  const body = /transfer-encoding: chunked/i.test(head) ? joined(after) : after.subarray(0, length);
  return { status: Number(status), head, body: body.toString("utf8") };
}

/** Without the sizes of the chunks; a last one that was cut is left out. */
function joined(chunks: Buffer): Buffer {
  const lineEnd = chunks.indexOf("\r\n");
  const size = Number.parseInt(chunks.subarray(0, Math.max(0, lineEnd)).toString("latin1"), 16);
  if (!(size > 0)) return Buffer.alloc(0);
  const start = lineEnd + 2;
  return Buffer.concat([chunks.subarray(start, start + size), joined(chunks.subarray(start + size + 2))]);
}
