/**
 * How long does a sweep of forgetting take that finds nothing to forget? A hundred thousand entries in a SQLite file, all of
 * them a week old and looked at often enough to live, so that every one must be weighed and none may be written.
 */
import { manualClock } from "../../src/base/clock.ts";
import { PUBLIC } from "../../src/base/scope.ts";
import type { Trace } from "../../src/base/trace.ts";
import type { Collection } from "../../src/collection/collection.ts";
import { CollectionManager } from "../../src/collection/collection-manager.ts";
import { openService } from "../../src/services/index.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite-storage.ts";
import { takeTurns } from "../measure.ts";
import { atMost, figure, type Row } from "../report.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

const ENTRIES = 100_000;
const BATCH = 1000;
const SWEEPS = 5;
const WEEK_MS = 7 * 86_400_000;

const CONFIG = {
  vitality: { policy: "ebbinghaus", initial_strength: 0.8, decay_per_hour: 0.1, reinforcement_factor: 0.2 },
  threshold: 0.3,
  retention_min: 0,
  archive_before_delete: true,
  tiers: null,
  max_per_run: null,
  derived_kinds: [],
};

export function benchDecaySweep(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const clock = manualClock(Date.UTC(2026, 0, 1));
    let writes = 0;
    const trace: Trace = (event) => {
      if (event.type === "storage-commit") writes += event.writes;
    };
    const manager = new CollectionManager(await openSqlite(`${folder}/sweep.db`, { clock, trace }), {
      clock,
    });
    const options = { collection_name: "memories", top_k: 10, vitality: null };
    const thinking = { onBadReply: "throw" } as const;
    const service = await openService("neuromem_vdb", options, {
      manager,
      clock,
      trace,
      fields: [],
      thinking,
    });
    await fill(await manager.get(service.collection));
    clock.advance(WEEK_MS);
    writes = 0;
    const turns = await takeTurns(SWEEPS, 1, {
      sweep: {
        async run() {
          const start = performance.now();
          const { examined } = await service.optimize(PUBLIC, { trigger: "forgetting", config: CONFIG });
          const ms = performance.now() - start;
          if (examined !== ENTRIES) throw new Error(`the sweep looked at ${examined} of ${ENTRIES}`);
          return ms;
        },
      },
    });
    await manager.close();
    const what = `decay sweep of ${figure(ENTRIES)} entries`;
    return [
      {
        what,
        value: turns("sweep"),
        bar: atMost(1000, "ms"),
        measured: `median of ${SWEEPS} sweeps of a SQLite file`,
      },
      {
        what: `${what}: writes when nothing crosses the threshold`,
        value: writes,
        bar: atMost(0, ""),
        measured: "every entry weighed, none weak enough",
      },
    ];
  });
}

async function fill(collection: Collection): Promise<void> {
  for (let first = 0; first < ENTRIES; first += BATCH) {
    await collection.insertMany(
      PUBLIC,
      Array.from({ length: BATCH }, (_, i) => ({
        content: `Memory ${first + i}: Mia walked her dog in the park by the old station and met Ben there.`,
        metadata: { speaker: "Mia", n: first + i },
        accessCount: 4,
      })),
    );
  }
}
