/**
 * What do BIEM's variables say (S4-25)? Whether there is a memory at all, and where it lives. What cannot be done as it is
 * written is refused at the start, and nothing else takes its place (C-29).
 */
import { MemoryError } from "../../base/errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface BiemEnvironment {
  readonly isDisabled: boolean;
  /** Address of the server that holds everything; undefined: none is named. */
  readonly url: string | undefined;
  /** The name of the collection; undefined: the preset's. */
  readonly collection: string | undefined;
}

export function readEnvironment(env: Environment): BiemEnvironment {
  const isDisabled = isOn(env, "DISABLE_MEMORY");
  if (isDisabled) return { isDisabled, url: undefined, collection: undefined };
  refuseMilvus(env);
  return { isDisabled, url: urlOf(env), collection: written(env, "MILVUS_COLLECTION") };
}

function urlOf(env: Environment): string | undefined {
  const host = written(env, "POSTGRES_HOST");
  const database = written(env, "POSTGRES_DB");
  const user = written(env, "POSTGRES_USER");
  if (host === undefined) {
    const lost = ["POSTGRES_PORT", "POSTGRES_DB", "POSTGRES_USER", "POSTGRES_PASSWORD"].find(
      (name) => written(env, name) !== undefined,
    );
    if (lost !== undefined) throw refusal(`${lost} is set, and POSTGRES_HOST is not`, "both, or neither");
    return undefined;
  }
  if (database === undefined || user === undefined) {
    const missing = database === undefined ? "POSTGRES_DB" : "POSTGRES_USER";
    throw refusal(
      `POSTGRES_HOST is set, and ${missing} is not`,
      "POSTGRES_HOST, POSTGRES_DB and POSTGRES_USER",
    );
  }
  const port = written(env, "POSTGRES_PORT") ?? "5432";
  if (!/^\d{1,5}$/.test(port)) throw refusal(`POSTGRES_PORT is "${port}"`, "a number, as 5432");
  const [name, secret, base] = [user, env.POSTGRES_PASSWORD ?? "", database].map(encodeURIComponent);
  // An IPv6 address has colons of its own.
  const place = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return `postgres://${name}:${secret}@${place}:${port}/${base}`;
}

/** Vectors are held where the truth is; a server for them alone is not built yet, and none is passed over in silence. */
function refuseMilvus(env: Environment): void {
  if (written(env, "MILVUS_HOST") === undefined || isOn(env, "MILVUS_USE_LITE")) return;
  throw new MemoryError(
    "capability_missing",
    "MILVUS_HOST names a Milvus server, which this version cannot use. Valid: MILVUS_USE_LITE=true, or no MILVUS_HOST: vectors are then held in the process.",
  );
}

const ON = ["1", "true", "yes", "on"];
const OFF = ["", "0", "false", "no", "off"];

function isOn(env: Environment, name: string): boolean {
  const value = (env[name] ?? "").trim().toLowerCase();
  if (ON.includes(value)) return true;
  if (OFF.includes(value)) return false;
  throw refusal(`${name} is "${value}"`, "true or false");
}

function written(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === "" ? undefined : value;
}

function refusal(what: string, valid: string): MemoryError {
  return new MemoryError("input_invalid", `${what}. Valid: ${valid}.`);
}
