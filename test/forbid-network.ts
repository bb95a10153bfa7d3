/**
 * Set up for every test file: a socket to anywhere but this machine is refused. The suite must pass with no key and no
 * network, and a test that would quietly reach out must fail on the developer's machine too, not only on a closed one.
 * Files share a process: whoever comes second finds it done.
 */
import { Socket } from "node:net";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "::1", ""]);
const connect = Socket.prototype.connect;

if (connect.name !== "connectNearby") {
  Object.defineProperty(Socket.prototype, "connect", {
    value: function connectNearby(this: Socket, ...given: readonly unknown[]): Socket {
      const host = hostOf(given);
      if (!LOOPBACK.has(host)) throw new Error(`A test tried to reach ${host}. Valid: this machine only.`);
      return Reflect.apply(connect, this, given);
    },
  });
}

/** `connect` takes (port, host), ({ host }), (path), and from inside Node a normalised list of these. */
function hostOf(given: readonly unknown[]): string {
  const [first, second] = given.flat();
  if (typeof first === "object" && first !== null && "host" in first) return String(first.host ?? "");
  return typeof first === "number" && typeof second === "string" ? second : "";
}
