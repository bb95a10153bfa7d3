/** The process that takes a conversation in: prints {"turns","windows","seconds"}; progress goes to stderr. */
import { Memory } from "../../src/runtime/memory.ts";
import { locomoCases } from "../locomo-data.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";

const TYPICAL_TURNS = 590;

const [, , data = ""] = process.argv;
const conversations = (await locomoCases(data)).map(({ turns }) => turns.map(({ ref: _, ...turn }) => turn));
const farFrom = (turns: readonly unknown[]): number => Math.abs(turns.length - TYPICAL_TURNS);
const [turns = []] = conversations.sort((a, b) => farFrom(a) - farFrom(b));
await inTemporaryFolder(async (folder) => {
  let [windows, taken] = [0, 0];
  const start = performance.now();
  const memory = await Memory.open({
    path: `${folder}/locomo.db`,
    scope: "bench",
    onWindow(_, done) {
      windows++;
      taken += done.turns.length;
      if (taken % 100 === 0) process.stderr.write(`  ${taken} of ${turns.length} turns\n`);
    },
  });
  await memory.remember(turns);
  await memory.flush();
  const seconds = (performance.now() - start) / 1000;
  await memory.close();
  process.stdout.write(JSON.stringify({ turns: turns.length, windows, seconds }));
});
