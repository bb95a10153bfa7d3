/** From where does a request come? Said by the socket; what a header says about it anybody can write. */
import { isIPv6 } from "node:net";
import type { Context } from "hono";
import type { ServerEnv } from "./server.ts";

/** One name per caller: whoever has one address of the sixth version has a whole network of them. "" where there is no socket. */
export function addressOf(context: Context<ServerEnv>): string {
  const bindings: unknown = context.env;
  const address = field(field(field(bindings, "incoming"), "socket"), "remoteAddress");
  if (typeof address !== "string") return "";
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv6(plain) ? networkOf(plain) : plain;
}

/** The first half, which is given out as a whole. */
function networkOf(address: string): string {
  const [head = "", tail] = address.split("::");
  const groups = head === "" ? [] : head.split(":");
  const missing = tail === undefined ? 0 : 8 - groups.length - (tail === "" ? 0 : tail.split(":").length);
  const all = [...groups, ...Array<string>(missing).fill("0"), ...(tail ?? "").split(":")];
  return `${all.slice(0, 4).join(":")}::/64`;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
