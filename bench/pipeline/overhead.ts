/**
 * What does the pipeline cost? The same question through six no-op stages and straight to the service, in turns, over ten
 * thousand entries on a file; the difference is the pipeline's own.
 */

import { defaultInsert } from "../../src/actions/memory-insert/default.ts";
import { defaultRetrieval } from "../../src/actions/memory-retrieval/default.ts";
import { noPostInsert } from "../../src/actions/post-insert/none.ts";
import { noPostRetrieval } from "../../src/actions/post-retrieval/none.ts";
import { noPreInsert } from "../../src/actions/pre-insert/none.ts";
import { noPreRetrieval } from "../../src/actions/pre-retrieval/none.ts";
import { parseScope } from "../../src/base/scope.ts";
import { openSqlite } from "../../src/storage/sqlite/sqlite-storage.ts";
import { openPipelineWorld } from "../../src/testing/pipeline-world.ts";
import { takeTurns } from "../measure.ts";
import { atMost, type Row } from "../report.ts";
import { inTemporaryFolder } from "./temporary-folder.ts";

const ENTRIES = 10_000;
const TOPICS = ["tea", "rain", "violin", "Berlin", "chess", "garden", "train", "bread", "river", "snow"];
const SCOPE = parseScope("bench");

export function benchOverhead(): Promise<Row[]> {
  return inTemporaryFolder(async (folder) => {
    const storage = await openSqlite(`${folder}/overhead.db`);
    const world = await openPipelineWorld({
      storage,
      service: { name: "neuromem_vdb", options: { collection_name: "memories", top_k: 10, vitality: null } },
      stages: {
        pre_insert: [{ action: noPreInsert, options: {} }],
        memory_insert: [{ action: defaultInsert, options: {} }],
        post_insert: [{ action: noPostInsert, options: {} }],
        pre_retrieval: [{ action: noPreRetrieval, options: {} }],
        memory_retrieval: [
          { action: defaultRetrieval, options: { top_k: 10, fusion: { strategy: "union" } } },
        ],
        post_retrieval: [{ action: noPostRetrieval, options: { conversation_format_prompt: "" } }],
      },
    });
    for (let start = 0; start < ENTRIES; start += 500) {
      await world.say(
        Array.from({ length: 500 }, (_, n) => sentence(start + n)),
        SCOPE,
      );
    }
    const { service, pipeline } = world;
    const turns = await takeTurns(40, 3, {
      direct: { run: (task) => service.retrieve(SCOPE, { text: question(task), topK: 10 }), times: 10 },
      pipeline: { run: (task) => pipeline.retrieve(SCOPE, { text: question(task) }), times: 10 },
    });
    const inserts = await takeTurns(40, 3, {
      direct: { run: (task) => service.insert(SCOPE, { content: sentence(task) }), times: 5 },
      pipeline: { run: (task) => world.say([sentence(task)], SCOPE), times: 5 },
    });
    await world.close();
    await storage.close();
    const extra = turns("pipeline") - turns("direct");
    const measured = `p50 ${turns("pipeline").toFixed(3)} ms through six no-op stages, ${turns("direct").toFixed(3)} ms direct; an insert with its journalled turn and its vector ${inserts("pipeline").toFixed(3)} ms, without either ${inserts("direct").toFixed(3)} ms`;
    return [
      {
        what: "a question through six no-op stages, over the service alone, 10 k entries",
        value: extra,
        bar: atMost(0.2, "ms"),
        measured,
      },
    ];
  });
}

function sentence(n: number): string {
  return `${TOPICS[n % 10]} and ${TOPICS[(n * 7 + 3) % 10]} number ${n}`;
}

function question(n: number): string {
  return `${TOPICS[n % 10]} ${n % ENTRIES}`;
}
