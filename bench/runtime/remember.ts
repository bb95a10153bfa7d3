/**
 * How long until what was said is safe? A conversation goes on, a turn every few milliseconds, while the worker embeds and
 * stores what was said before; each turn is timed from the call to the acknowledgement of the journal.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Memory } from "../../src/runtime/memory.ts";
import { createCorpus } from "../engine/corpus.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";
import { atMost, type Row } from "../report.ts";

const TURNS = 1000;
const WARM_UP = 50;
const PAUSE_MS = 10;

export function benchRemember(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const corpus = createCorpus();
    const memory = await Memory.open({ path: `${folder}/remember.db`, scope: "bench" });
    const times: number[] = [];
    let busy = 0;
    for (let n = -WARM_UP; n < TURNS; n++) {
      const start = performance.now();
      await memory.remember({ speaker: "Mia", text: corpus.text(n + WARM_UP) }, { wait: "journal" });
      const ms = performance.now() - start;
      if (n >= 0) times.push(ms);
      if (n % 100 === 0 && (await memory.status()).waiting > 0) busy++;
      await sleep(PAUSE_MS);
    }
    await memory.flush();
    await memory.close();
    times.sort((a, b) => a - b);
    const at = (share: number): number => times[Math.floor(share * (times.length - 1))] ?? Number.NaN;
    return [
      {
        what: "remember acknowledged (journal durable), default preset with the built-in embedder, p95 while jobs run",
        value: at(0.95),
        bar: atMost(10, "ms"),
        measured: `${TURNS} turns, p50 ${at(0.5).toFixed(2)} ms, p99 ${at(0.99).toFixed(2)} ms; turns waited to be taken up at ${busy} of ${TURNS / 100} looks`,
      },
    ];
  });
}
