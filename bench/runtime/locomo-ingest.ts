/**
 * How long does a long conversation take to be remembered, with no model? A LoCoMo conversation of about 590 turns through
 * the default design and the built-in embedder, in a process of its own held to one core where the system can do that.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { z } from "zod";
import { atMost, type Row } from "../report.ts";

const CHILD = fileURLToPath(new URL("locomo-ingest-child.ts", import.meta.url));
const replySchema = z.object({ turns: z.number(), seconds: z.number(), windows: z.number() });

export async function benchLocomoIngest(data: string, say: (line: string) => void): Promise<Row[]> {
  const held = await canHold();
  const command = held ? ["taskset", "-c", "0", process.execPath] : [process.execPath];
  const [program = "", ...rest] = command;
  const child = execFile(program, [...rest, "--no-warnings", CHILD, data]);
  let printed = "";
  child.stdout?.on("data", (text) => {
    printed += text;
  });
  child.stderr?.on("data", (text) => say(String(text).trimEnd()));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error("The conversation was not taken in.");
  const { turns, seconds, windows } = replySchema.parse(JSON.parse(printed));
  return [
    {
      what: "LoCoMo conversation taken in with no model, default preset, with embeddings",
      value: seconds,
      bar: atMost(20, "s"),
      measured: `${turns} turns in ${windows} windows${held ? " on one core" : ", not held to one core: there is no taskset here"}; opening and loading of weights included`,
    },
  ];
}

async function canHold(): Promise<boolean> {
  try {
    await promisify(execFile)("taskset", ["-c", "0", "true"]);
    return true;
  } catch {
    return false;
  }
}
