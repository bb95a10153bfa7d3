/**
 * A case, lived through by a design: its turns are remembered session by session on its own clock, in a memory file of its own,
 * and its questions are recalled from it. What is asked is asked of all that was said so far: windows that are not full are
 * taken up before. Questions do not know of each other: looks are not counted while they are asked, and the clock goes back.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { manualClock } from "../../base/clock.ts";
import { MemoryError } from "../../base/errors.ts";
import { parseScope } from "../../base/scope.ts";
import type { EmbedderSet } from "../../models/local/embedder-set.ts";
import { wrapModel } from "../../models/middleware.ts";
import type { ChatModel } from "../../models/model.ts";
import { traced } from "../../models/traced.ts";
import type { Preset } from "../../preset/preset.ts";
import { Memory } from "../../runtime/memory.ts";
import { turnSources } from "../../runtime/turn-sources.ts";
import { openStorage } from "../../storage/open-storage.ts";
import { estimateTokens } from "../../text/token-count.ts";
import type { LabCase, LabQuestion, LabTurn } from "../dataset.ts";
import { LARGEST_BUDGET } from "../measures/measure-question.ts";
import type { BuildLine, QuestionLine } from "../result.ts";
import { type ModelMeter, modelMeter } from "./model-meter.ts";
import { type Asked, questionLine } from "./question-line.ts";
import { spokenMoments } from "./spoken-moments.ts";
import { type StageTimes, stageTimes } from "./stage-times.ts";
import { type Looks, uncountedLooks } from "./uncounted-looks.ts";

export interface CaseOptions {
  readonly preset: Preset;
  readonly embedder?: EmbedderSet | undefined;
  /** In place of what the preset names. */
  readonly model?: ChatModel | undefined;
  /** Where keys are looked up. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Where the memory file lies; it stays there and can be opened again, by another preset, too. @default one that goes on closing */
  readonly folder?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told whenever some turns more have been taken in. */
  readonly onTurns?: ((count: number) => void) | undefined;
}

export type Point = BuildLine["point"];
/** What a stretch took, and what is stored at its end. */
export type Built = Omit<BuildLine, "type" | "case" | "point">;

export interface OpenCase {
  /** How many turns have been said, those that an earlier opening of the same folder said among them. */
  readonly said: number;
  /** Takes in the stream up to so many turns; says what it took and what is stored then. */
  live(upTo: number): Promise<Built>;
  ask(question: LabQuestion, ks: readonly number[], point?: Point): Promise<QuestionLine>;
  close(): Promise<void>;
}

/** Of all that a case remembers. */
export const SCOPE = parseScope("lab");
/** Between the end of a stretch, its last windows, and the questions. */
const PAUSE_MS = 60_000;
const SECOND_MS = 1000;
/** A design that would hand over so many hits hands over all there is: it is not cut to the hits that are looked at. */
const EVERYTHING = 10_000;
/** Short turns, as people write them: so many fill the largest budget of tokens. */
const FURTHER = 200;
const NONE = { hits: [], refs: [] };

export async function openCase(one: LabCase, options: CaseOptions): Promise<OpenCase> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), "neuromem-lab-")));
  const tidy = async (): Promise<void> => {
    if (options.folder === undefined) await rm(folder, { recursive: true, force: true });
  };
  const moments = spokenMoments(one.turns);
  const clock = manualClock((moments[0] ?? 0) - SECOND_MS);
  const looks = { areCounted: true };
  const meter = modelMeter();
  const stages = stageTimes();
  try {
    const memory = await openMemory(folder, { ...options, clock, looks, meter, stages });
    const life = { memory, clock, looks, meter, stages, moments, tidy };
    return new LivedCase(one, options, life, await memory.running().storage.countTurns(SCOPE));
  } catch (error) {
    await tidy();
    throw error;
  }
}

interface Instruments {
  readonly clock: ReturnType<typeof manualClock>;
  readonly looks: Looks;
  readonly meter: ModelMeter;
  readonly stages: StageTimes;
}

async function openMemory(
  folder: string,
  { preset, embedder, model, env, clock, looks, meter, stages }: CaseOptions & Instruments,
): Promise<Memory> {
  const { trace } = meter;
  // It can be made again: how long a disk takes to promise that it survives a power cut is not measured here.
  const file = await openStorage({ path: join(folder, "memory.db") }, { clock, trace, powerSafe: false });
  try {
    return await Memory.open({
      ...{ preset, scope: SCOPE, embedder, env, clock, trace, background: false },
      storage: uncountedLooks(file, looks),
      model: model && wrapModel(model, traced({ trace })),
      onWindow: (_, { result }) => stages.add(result.stages),
    });
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Life extends Instruments {
  readonly memory: Memory;
  /** When each turn was said. */
  readonly moments: readonly number[];
  /** Takes away what nobody wants to keep. */
  readonly tidy: () => Promise<void>;
}

class LivedCase implements OpenCase {
  readonly #case: LabCase;
  readonly #options: CaseOptions;
  readonly #life: Life;
  /** What holds no visible character cannot be remembered; its place in the stream stays. */
  readonly #sayable: readonly Placed[];
  readonly #sessions: ReadonlyMap<string, string>;
  #said: number;

  /** `journal`: how many turns are in the memory already. */
  constructor(one: LabCase, options: CaseOptions, life: Life, journal: number) {
    this.#case = one;
    this.#options = options;
    this.#life = life;
    this.#sayable = one.turns.flatMap((turn, place) => (turn.text.trim() === "" ? [] : [{ turn, place }]));
    this.#sessions = new Map(one.turns.map(({ ref, session }) => [ref, session]));
    this.#said = journal === 0 ? 0 : (this.#sayable[journal - 1]?.place ?? one.turns.length - 1) + 1;
    if (journal > 0) life.clock.set(this.#end() + 2 * PAUSE_MS);
  }

  get said(): number {
    return this.#said;
  }

  async live(upTo: number): Promise<Built> {
    const { memory, clock, meter, stages, moments } = this.#life;
    const { signal, onTurns } = this.#options;
    meter.take();
    stages.take();
    const started = performance.now();
    const stretch = this.#sayable.filter(({ place }) => place >= this.#said && place < upTo);
    for (const session of bySession(stretch)) {
      clock.set(Math.max(clock.now() + SECOND_MS, moments[session[0]?.place ?? 0] ?? 0));
      const turns = session.map(({ turn, place }) => spoken(turn, moments[place]));
      const { delayed } = await memory.remember(turns, { wait: "memory", signal });
      // The reason itself, so that the run can tell what may be tried again.
      if (delayed !== null) await memory.flush({ finish: false, signal });
      await memory.running().upkeep.runDue();
      this.#said = (session.at(-1)?.place ?? 0) + 1;
      onTurns?.(session.length);
    }
    this.#said = Math.max(this.#said, upTo);
    clock.set(this.#end() + PAUSE_MS);
    await memory.flush({ finish: true, signal });
    clock.advance(PAUSE_MS);
    const buildMs = performance.now() - started;
    // What is written twice until the storage tidies up would hide for long how large it really is.
    await memory.running().storage.scrub();
    const { storage, counts } = await memory.status();
    return {
      entries: counts.memories,
      storage: { ...storage },
      model: meter.take(),
      times: { buildMs, stagesMs: stages.take() },
    };
  }

  async ask(
    question: LabQuestion,
    ks: readonly number[],
    point: Point = { number: 1, of: 1, turns: this.#said },
  ): Promise<QuestionLine> {
    const { clock, looks, meter } = this.#life;
    meter.take();
    const now = clock.now();
    const askedAt = question.askedAt ?? now;
    looks.areCounted = false;
    clock.set(Math.max(now, askedAt));
    try {
      const most = Math.max(...ks);
      const found = await this.#recall(question.text, most, askedAt);
      const model = meter.take();
      const further = model.calls > 0 ? NONE : await this.#further(question.text, most, askedAt, found);
      const asked = { ...found, further, point, askedAt, model };
      return questionLine(this.#case.id, question, asked, { ks, sessions: this.#sessions });
    } finally {
      looks.areCounted = true;
      clock.set(now);
    }
  }

  async close(): Promise<void> {
    try {
      await this.#life.memory.close();
    } finally {
      await this.#life.tidy();
    }
  }

  async #recall(text: string, most: number, asked: number): Promise<Recall> {
    const { memory } = this.#life;
    const { preset, signal } = this.#options;
    const started = performance.now();
    try {
      const limit = handsOverAll(preset) ? undefined : most;
      const recalled = await memory.recall(text, { limit, asked, signal });
      const queryMs = performance.now() - started;
      // Beside the clock: whoever asks does not wait for where it comes from.
      const sources = await turnSources(memory.running().storage, SCOPE, recalled.hits);
      // By the turns' places in the journal, which holds nothing else.
      const refs = sources.map((turns) => turns.flatMap(({ seq }) => this.#sayable[seq - 1]?.turn.ref ?? []));
      return { queryMs, recalled, refs };
    } catch (error) {
      // What may go better another time, or was stopped, is not this question's answer.
      if (!MemoryError.is(error) || error.retryable || ["aborted", "invariant"].includes(error.code))
        throw error;
      return { queryMs: performance.now() - started, error: error.message };
    }
  }

  /**
   * What stands behind the hits that are looked at, for measures that ask how much fits into so many tokens. Asked for apart: a
   * design that is asked for more takes longer, and may order what it finds otherwise.
   */
  async #further(text: string, most: number, asked: number, { recalled }: Recall): Promise<Further> {
    const { preset } = this.#options;
    const first = recalled?.hits ?? [];
    const tokens = first.reduce((sum, hit) => sum + estimateTokens(hit.text), 0);
    if (handsOverAll(preset) || first.length < most || most >= FURTHER || tokens >= LARGEST_BUDGET)
      return NONE;
    const { recalled: more, refs = [] } = await this.#recall(text, FURTHER, asked);
    const known = new Set(first.map(({ id }) => id));
    const behind = (more?.hits ?? []).flatMap((hit, place) =>
      known.has(hit.id) ? [] : [{ hit, refs: refs[place] ?? [] }],
    );
    return { hits: behind.map(({ hit }) => hit), refs: behind.map((one) => one.refs) };
  }

  /** When the last of the turns so far had been said, whatever their order; never before now. */
  #end(): number {
    const { moments, clock } = this.#life;
    return moments.slice(0, this.#said).reduce((latest, moment) => Math.max(latest, moment), clock.now());
  }
}

type Recall = Pick<Asked, "queryMs" | "recalled" | "refs" | "error">;
type Further = NonNullable<Asked["further"]>;
type Placed = { readonly turn: LabTurn; readonly place: number };

/** Turns that follow each other in one session, in their order. */
function bySession(turns: readonly Placed[]): Placed[][] {
  const sessions: Placed[][] = [];
  for (const one of turns) {
    const last = sessions.at(-1);
    if (last?.[0]?.turn.session === one.turn.session) last.push(one);
    else sessions.push([one]);
  }
  return sessions;
}

function spoken({ ref: _, ...turn }: LabTurn, happenedAt: number | undefined) {
  return { ...turn, happenedAt };
}

function handsOverAll({ service }: Preset): boolean {
  return Number(service.options.top_k) >= EVERYTHING;
}
