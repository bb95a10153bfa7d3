/**
 * What becomes of the server in a minute with two hundred clients that read and write without a pause? Every answer is to be
 * 200, every acknowledged write is to be there afterwards, and the memory of the process must not climb with the requests.
 *
 * What is stored grows meanwhile, and the indexes with it: the second half is held against the first with room for that.
 */
import { loadServer, turnsOf } from "../../test/fixtures/load.ts";
import { startServing } from "../../test/fixtures/served-process.ts";
import { median } from "../measure.ts";
import { inTemporaryFolder } from "../pipeline/temporary-folder.ts";
import { atMost, figure, type Row } from "../report.ts";
import { quantile } from "./http-clients.ts";

const CLIENTS = 200;
const LOAD_MS = 60_000;
const SAMPLE_MS = 500;
const MB = 2 ** 20;

export function benchLoad(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const served = await startServing({ file: `${folder}/memory.db` });
    try {
      const sizes: number[] = [];
      const sampling = setInterval(() => void served.rss().then((bytes) => sizes.push(bytes)), SAMPLE_MS);
      const until = AbortSignal.timeout(LOAD_MS);
      const { times, written, refused, broken } = await loadServer({
        url: served.url,
        clients: CLIENTS,
        until,
      });
      clearInterval(sampling);
      const stored = await turnsOf(served.url);
      const lost = written.filter((id) => !stored.has(id)).length;
      const errors = [...refused.values(), ...broken.values()].reduce((sum, n) => sum + n, 0);
      const half = sizes.length >> 1;
      const [first, second] = [median(sizes.slice(0, half)), median(sizes.slice(half))];
      const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
      const load = `${CLIENTS} clients for ${LOAD_MS / 1000} s`;
      const rate = times.length / (LOAD_MS / 1000);
      return [
        {
          what: `load of ${load}: errors`,
          value: errors,
          bar: atMost(0, ""),
          measured: `${figure(times.length)} requests, ${rate.toFixed(0)} a second, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms${reasons(refused)}${reasons(broken)}`,
        },
        {
          what: `load of ${load}: acknowledged writes that are not there`,
          value: lost,
          bar: atMost(0, ""),
          measured: `${written.length} turns acknowledged, ${stored.size} stored`,
        },
        {
          what: `load of ${load}: memory of the second half of the first`,
          value: second / first,
          bar: atMost(1.5, "×"),
          measured: `medians ${(first / MB).toFixed(0)} and ${(second / MB).toFixed(0)} MB, at most ${(Math.max(...sizes) / MB).toFixed(0)} MB, with ${stored.size} turns stored meanwhile`,
        },
      ];
    } finally {
      await served.end("SIGKILL");
    }
  });
}

function reasons(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([reason, n]) => `, ${n} × ${reason}`).join("");
}
