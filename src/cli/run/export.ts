/** A scope as a file that another memory can take in. */
import { open, rename, rm } from "node:fs/promises";
import { MemoryError } from "../../base/errors.ts";
import { exportOperation } from "../../operations/rows/export.ts";
import type { Memory } from "../../runtime/memory.ts";
import type { Given } from "../command.ts";
import type { Progress } from "../progress.ts";
import type { Terminal } from "../terminal.ts";
import { stoppable } from "../underway.ts";
import { withMemory } from "../with-memory.ts";

/** So many characters are written at once. */
const CHUNK = 1 << 20;
const UNIT = { en: "memories", zh: "条记忆" };

export async function exportMemory(given: Given, terminal: Terminal): Promise<number> {
  const out = given.text("out") ?? "-";
  if (out === "-" && terminal.isJson) {
    throw new MemoryError(
      "option_invalid",
      "--json tells how it went, and stdout is the bundle itself. Valid: --out FILE with --json, or no --json.",
    );
  }
  return withMemory(given, terminal, { isNew: false, isQuiet: true }, async ({ memory, file }) => {
    const vectors = !given.isSet("no-vectors");
    const lines = await stoppable((signal) =>
      out === "-"
        ? writeOut(memory, vectors, signal, terminal)
        : writeFile(out, memory, vectors, signal, terminal),
    );
    if (out === "-") return 0;
    terminal.give({ db: file, scope: memory.scope, preset: memory.preset, out, vectors, lines });
    terminal.say(
      terminal.text({
        en: `${lines} lines written to ${out}. Take it in with: neuromem import ${out}`,
        zh: `已写入 ${out}，共 ${lines} 行。导入：neuromem import ${out}`,
      }),
    );
    return 0;
  });
}

async function writeOut(
  memory: Memory,
  vectors: boolean,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<number> {
  let count = 0;
  for await (const line of exportOperation.run(memory, { vectors }, { signal })) {
    terminal.write(`${line}\n`);
    count++;
  }
  return count;
}

/** What is stopped or fails half-way leaves what was there as it was. */
async function writeFile(
  out: string,
  memory: Memory,
  vectors: boolean,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<number> {
  const part = `${out}.part`;
  let progress: Progress | undefined;
  let told = 0;
  const onProgress = (done: number, total: number): void => {
    progress ??= terminal.progress(total, UNIT);
    progress.add(done - told);
    told = done;
  };
  const handle = await open(part, "w", 0o600).catch((cause: unknown) => {
    throw notWritten(out, cause);
  });
  let count = 0;
  let held = "";
  try {
    for await (const line of exportOperation.run(memory, { vectors }, { onProgress, signal })) {
      held += `${line}\n`;
      count++;
      if (held.length < CHUNK) continue;
      await handle.write(held);
      held = "";
    }
    await handle.write(held);
    await handle.sync();
    await handle.close();
    await rename(part, out);
    return count;
  } catch (error) {
    await handle.close();
    await rm(part, { force: true });
    throw MemoryError.is(error) ? error : notWritten(out, error);
  } finally {
    progress?.end();
  }
}

function notWritten(out: string, cause: unknown): MemoryError {
  return new MemoryError(
    "storage_io",
    `The file ${out} could not be written. Valid: --out in a folder you may write to.`,
    { cause },
  );
}
