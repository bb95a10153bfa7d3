/**
 * Is it all there? Every line is checked before the first one is taken in: its form, its place, that it can be taken in,
 * that no id comes twice, that whatever is named comes before, and at the end that nothing is missing or was changed. Of
 * what it saw it keeps ids.
 */
import { createHash } from "node:crypto";
import { MemoryError } from "../../base/errors.ts";
import { workKind } from "../../collection/insert.ts";
import { isJudged } from "../../pipeline/judgment.ts";
import { isNode } from "../../services/graph/entity.ts";
import {
  type BundleLine,
  type EndLine,
  type EntryLine,
  type HeaderLine,
  readLine,
  type TurnLine,
  type WorkLine,
} from "./bundle-line.ts";
import { checkSound } from "./sound-line.ts";

export interface Contents {
  readonly header: HeaderLine;
  readonly turns: ReadonlySet<string>;
  /** Turns that the design had taken up. */
  readonly taken: ReadonlySet<string>;
  readonly entries: ReadonlySet<string>;
  /** Nodes of the graph, of which a scope has one of a kind and name: id → what it is. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly lines: number;
}

const ORDER = { header: 0, turn: 1, entry: 2, join: 2, edge: 3, work: 4, end: 5 } as const;
const NAMES = { turn: "turns", entry: "entries", join: "joins", edge: "edges", work: "work" } as const;

export class ContentsCheck {
  readonly #hash = createHash("sha256");
  readonly #turns = new Set<string>();
  readonly #taken = new Set<string>();
  readonly #waiting = new Set<"judged" | "said">();
  readonly #entries = new Set<string>();
  readonly #nodes = new Map<string, string>();
  /** Who took whose place. */
  readonly #replaced = new Map<string, string>();
  readonly #counts = { turns: 0, entries: 0, joins: 0, edges: 0, work: 0 };
  #header: HeaderLine | undefined;
  #last: BundleLine["line"] = "header";
  #lines = 0;

  see(text: string): void {
    this.#lines++;
    if (text === "") {
      // An empty line at the end of a file is no line.
      if (this.#last === "end") return;
      throw this.#refusal("is empty");
    }
    if (this.#last === "end") throw this.#refusal("comes after the end");
    const line = readLine(text, this.#lines);
    if (ORDER[line.line] < ORDER[this.#last] || (line.line === "header" && this.#lines > 1))
      throw this.#refusal(`is a line "${line.line}" after a line "${this.#last}"`);
    if (line.line === "end") this.#checkEnd(line);
    else this.#hash.update(`${text}\n`);
    this.#last = line.line;
    this.#check(line);
  }

  /** All lines were seen. */
  end(): Contents {
    const header = this.#header;
    if (header !== undefined && this.#last === "end") {
      const [turns, taken, entries, nodes] = [this.#turns, this.#taken, this.#entries, this.#nodes];
      return { header, turns, taken, entries, nodes, lines: this.#lines };
    }
    throw new MemoryError(
      "input_invalid",
      `The bundle was cut: it has ${this.#lines} lines and no end. Valid: the whole file. Nothing was imported.`,
      { details: { lines: this.#lines } },
    );
  }

  #check(line: BundleLine): void {
    this.#checkSound(line);
    if (line.line === "header") this.#header = line;
    else if (line.line !== "end") this.#counts[NAMES[line.line]]++;
    if (line.line === "turn") this.#checkTurn(line);
    if (line.line === "entry") {
      this.#addTo(this.#entries, line.id);
      if (isNode(line.kind)) this.#nodes.set(line.id, nodeKey(line));
      if (line.supersededBy !== null) this.#replaced.set(line.id, line.supersededBy);
    }
    if (line.line === "entry" || line.line === "join") this.#checkIndexes(line.indexes);
    if (line.line === "join") this.#checkEntry(line.id);
    if (line.line === "work") this.#checkWork(line);
    if (line.line === "edge") {
      this.#checkEntry(line.from);
      this.#checkEntry(line.to);
    }
  }

  #checkSound(line: BundleLine): void {
    try {
      checkSound(line);
    } catch (error) {
      if (!MemoryError.is(error)) throw error;
      throw new MemoryError(
        error.code,
        `Line ${this.#lines} of the bundle cannot be taken in. ${error.message} Nothing was imported.`,
        { cause: error, details: { line: this.#lines } },
      );
    }
  }

  /** Turns are taken up in their order: what was said in windows, what somebody judged by itself. */
  #checkTurn(line: TurnLine): void {
    const { id, taken, shown } = line;
    if (shown && !taken) throw this.#refusal("is shown again and was not taken up");
    const kind = isJudged(line) ? "judged" : "said";
    if (taken && this.#waiting.has(kind)) throw this.#refusal("is taken up after one that is not");
    if (!taken) this.#waiting.add(kind);
    this.#addTo(this.#turns, id);
    if (taken) this.#taken.add(id);
  }

  #addTo(known: Set<string>, id: string): void {
    if (this.#turns.has(id) || this.#entries.has(id)) throw this.#refusal(`has the id ${id} a second time`);
    known.add(id);
  }

  #checkEntry(id: string): void {
    if (!this.#entries.has(id)) throw this.#refusal(`names the entry ${id}, which is not in the bundle`);
  }

  /** A job of another name could stand in the way of others. */
  #checkWork({ id, entry }: WorkLine): void {
    this.#checkEntry(entry);
    const kind = workKind(this.#header?.collection ?? "");
    if (!id.startsWith(`${kind}:`) || !id.includes(entry))
      throw this.#refusal(`has the id ${id}, which no work of the entry ${entry} has`);
  }

  #checkIndexes(names: readonly string[]): void {
    const known = this.#header?.indexes ?? [];
    const missing = names.find((name) => !known.some((index) => index.name === name));
    if (missing !== undefined)
      throw this.#refusal(`names the index "${missing}", which the header does not name`);
  }

  #checkEnd(end: EndLine): void {
    this.#checkReplaced();
    for (const name of Object.values(NAMES)) {
      const found = this.#counts[name];
      if (found !== end[name]) throw this.#refusal(`counts ${end[name]} ${name}, but there are ${found}`);
    }
    if (this.#hash.digest("hex") !== end.sha256)
      throw this.#refusal("does not fit the lines before it: they were changed");
  }

  /** In a circle nobody is current, and whoever follows it never comes to an end. */
  #checkReplaced(): void {
    const fine = new Set<string>();
    for (const start of this.#replaced.keys()) {
      const way = new Set<string>();
      for (
        let id: string | undefined = start;
        id !== undefined && !fine.has(id);
        id = this.#replaced.get(id)
      ) {
        if (way.has(id)) throw this.#refusal(`ends a bundle in which the entry ${id} replaces itself`);
        way.add(id);
      }
      for (const id of way) fine.add(id);
    }
  }

  #refusal(what: string): MemoryError {
    return new MemoryError(
      "input_invalid",
      `Line ${this.#lines} of the bundle ${what}. Valid: a file as export writes it. Nothing was imported.`,
      { details: { line: this.#lines } },
    );
  }
}

/** Entities are told apart by their name, facts by what they state. */
export function nodeKey({ kind, metadata }: Pick<EntryLine, "kind" | "metadata">): string {
  return JSON.stringify([kind, metadata.name ?? null, metadata.key ?? null]);
}
