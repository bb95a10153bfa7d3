/**
 * What is connected to this? Entries are nodes, their edges are walked: neighbours by direction and type, personalised
 * PageRank, spreading activation. An edge exists for a reader only if its own scope and both its ends are visible, and
 * every walk runs on that part alone: what a reader may not see cannot change an answer. `allow` chooses what is
 * returned, not where a walk may go.
 */
import { z } from "zod";
import type { Edge } from "../base/edge.ts";
import { MemoryError } from "../base/errors.ts";
import type { EntryId } from "../base/ids.ts";
import { EdgeLabels } from "./graph/edge-labels.ts";
import { EdgeRows, type RowEdges } from "./graph/edge-rows.ts";
import { GraphNodes } from "./graph/graph-nodes.ts";
import { parseGraphParams } from "./graph/graph-params.ts";
import { createGraphWalks } from "./graph/graph-walks.ts";
import { defineIndex, type Index, type IndexItem } from "./index-contract.ts";
import { SnapshotReader, SnapshotWriter, snapshotCorrupt } from "./snapshot-bytes.ts";

const options = z.strictObject({
  /** Edge types to hold; all if left out. */
  types: z.array(z.string().min(1)).min(1).optional(),
});

export const graphIndex = defineIndex({
  kind: "graph",
  family: "graph",
  summary: "Walks the edges between entries: neighbours, personalised PageRank, spreading activation.",
  options,
  create: ({ types }): Index => createGraph(types),
});

const SNAPSHOT_VERSION = 1;

function createGraph(types: readonly string[] | undefined): Index {
  let nodes = new GraphNodes();
  let labels = new EdgeLabels();
  let rows = new EdgeRows();
  const walks = createGraphWalks();

  const rowOf = (edges: readonly Edge[]): RowEdges => {
    const held = types === undefined ? edges : edges.filter(({ type }) => types.includes(type));
    return {
      targets: held.map(({ to }) => nodes.refer(to)),
      labels: held.map(({ type, scope, directed }) => labels.labelOf(type, scope, directed)),
      weights: held.map(({ weight }) => Math.min(Math.max(weight, WEIGHT.least), WEIGHT.most)),
    };
  };
  const addItem = ({ id, scope, edges = [] }: IndexItem): void => {
    const node = nodes.join(id, scope);
    const before = rows.targetsOf(node).slice();
    rows.replace(node, rowOf(edges), nodes.end);
    nodes.unrefer(before);
  };
  const removeId = (id: EntryId): void => {
    const node = nodes.nodeOf(id);
    if (!nodes.isMember(node)) return;
    const before = rows.targetsOf(node).slice();
    rows.clear(node);
    nodes.leave(node);
    nodes.unrefer(before);
  };

  return {
    kind: "graph",
    needs: { fields: [], edges: true },
    add(items) {
      for (const item of items) addItem(item);
      rows.sweep();
    },
    remove(ids) {
      for (const id of ids) removeId(id);
      rows.sweep();
    },
    query(query) {
      const params = parseGraphParams(query.params);
      rows.prepare();
      return walks({ nodes, labels, rows }, query, params);
    },
    save() {
      const writer = new SnapshotWriter("graph", SNAPSHOT_VERSION).texts(types ?? []);
      nodes.save(writer);
      labels.save(writer);
      rows.save(writer, nodes.end);
      return writer.finish();
    },
    load(bytes) {
      ({ nodes, labels, rows } = loadParts(bytes, types ?? []));
    },
    stats: () => ({ items: nodes.members, bytes: nodes.bytes + rows.bytes }),
  };
}

/** What a single-precision number can hold without becoming zero or infinite. */
const WEIGHT = { least: 2 ** -126, most: 2 ** 127 } as const;

interface Parts {
  readonly nodes: GraphNodes;
  readonly labels: EdgeLabels;
  readonly rows: EdgeRows;
}

function loadParts(bytes: Uint8Array, types: readonly string[]): Parts {
  try {
    const reader = new SnapshotReader(bytes, "graph", SNAPSHOT_VERSION);
    if (reader.texts().join("\0") !== types.join("\0"))
      throw snapshotCorrupt("it holds other types of edges");
    const nodes = GraphNodes.load(reader);
    const labels = EdgeLabels.load(reader);
    const rows = EdgeRows.load(reader, nodes.end, labels.end);
    reader.end();
    nodes.countReferences(rows.allTargets());
    return { nodes, labels, rows };
  } catch (error) {
    if (MemoryError.is(error) && error.code === "storage_corrupt") throw error;
    throw snapshotCorrupt("a part of it is not valid", error);
  }
}
