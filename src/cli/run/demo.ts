/** A memory at work: the sample goes in once, three questions are asked, and every answer says what it rests on. */
import type { Answer } from "../../runtime/ask.ts";
import type { Memory } from "../../runtime/memory.ts";
import { turnSources } from "../../runtime/turn-sources.ts";
import type { Given } from "../command.ts";
import { type LoadedSample, loadSample } from "../load-sample.ts";
import { dayOf, partsOf, turnLine } from "../memory-text.ts";
import { SAMPLE_CONVERSATION, SAMPLE_QUESTIONS } from "../sample-conversation.ts";
import type { Terminal } from "../terminal.ts";
import { TURNS, type Underway, underway } from "../underway.ts";
import { type Opened, withMemory } from "../with-memory.ts";
import { QUOTED } from "./ask.ts";

/** So many memories are shown under an answer. */
const SHOWN = 2;

export async function demo(given: Given, terminal: Terminal): Promise<number> {
  const { text, say, paint } = terminal;
  say(
    paint(
      "bold",
      text({
        en: "NeuroMem: a memory that loses nothing and explains every recall\n",
        zh: "NeuroMem：什么都不丢、每次回忆都说得清的记忆\n",
      }),
    ),
  );
  let way: Underway | undefined;
  const opening = {
    isNew: true,
    onWindow: (_: unknown, { turns }: { readonly turns: readonly unknown[] }) => way?.done(turns.length),
  };
  return withMemory(given, terminal, opening, async (opened) => {
    const memory = opened.memory.in(given.text("scope") ?? "");
    say(`${text({ en: "Design", zh: "设计" })}: ${memory.preset} · ${memory.scope} · ${opened.file}`);
    const started = performance.now();
    const loaded = await underway(terminal, TURNS, async (begun) => {
      way = begun;
      return loadSample(opened.storage, memory, begun);
    });
    sayLoaded(loaded, performance.now() - started, terminal);
    const answers = await answerAll(opened, memory, terminal);
    terminal.give({
      ...{ db: opened.file, scope: memory.scope, preset: memory.preset },
      ...{ turns: SAMPLE_CONVERSATION.length, ...loaded, answers },
    });
    sayNext(given, terminal);
    return 0;
  });
}

function sayLoaded({ added, takenUp }: LoadedSample, ms: number, { say, text }: Terminal): void {
  const seconds = (ms / 1000).toFixed(1);
  say(
    added + takenUp === 0
      ? text({
          en: "The sample is here from an earlier run; nothing was loaded again.\n",
          zh: "示例在之前运行时已载入，不再重复载入。\n",
        })
      : added === 0
        ? text({
            en: `The sample is in the journal from an earlier run; this design took ${takenUp} of its turns up in ${seconds} s.\n`,
            zh: `示例在之前运行时已写入日志；本设计处理了其中 ${takenUp} 轮，用时 ${seconds} 秒。\n`,
          })
        : text({
            en: `Journalled ${added} turns in English and Chinese over half a year and took ${takenUp} up, durable on disk, in ${seconds} s.\n`,
            zh: `写入日志 ${added} 轮中英文对话（跨度半年），处理 ${takenUp} 轮，已落盘，用时 ${seconds} 秒。\n`,
          }),
  );
}

async function answerAll({ storage }: Opened, memory: Memory, terminal: Terminal): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const question of SAMPLE_QUESTIONS) {
    const answered = await memory.ask(question);
    const shown = (answered.evidence.length > 0 ? answered.evidence : answered.recalled.hits).slice(0, SHOWN);
    const sources = await turnSources(storage, memory.scope, shown);
    const { answer, isUnknown, path, evidence } = answered;
    answers.push({ question, answer, isUnknown, path, evidence, turns: sources });
    sayAnswer(
      question,
      { ...answered, evidence: shown },
      sources.map((turns) => turns.map(turnLine)),
      terminal,
    );
  }
  return answers;
}

function sayAnswer(
  question: string,
  { answer, path, isUnknown, evidence }: Answer,
  sources: readonly (readonly string[])[],
  { say, paint, text }: Terminal,
): void {
  say(paint("cyan", `? ${question}`));
  say(`  ${paint("bold", answer)}`);
  if (path === "local" && !isUnknown) say(paint("dim", `  ${text(QUOTED)}`));
  evidence.forEach((hit, place) => {
    const said = sources[place] ?? [];
    const score = paint("green", hit.score.toPrecision(3));
    // A design that keeps what was said word for word needs it once.
    const lines = said.some((line) => line.endsWith(hit.text))
      ? said
      : [`${dayOf(hit.happenedAt)} ${hit.text}`, ...said];
    lines.forEach((line, at) => {
      say(at === 0 ? `  ${score}  ${line}` : paint("dim", `         ← ${line}`));
    });
    say(paint("dim", `         ${partsOf(hit)}`));
  });
  say();
}

function sayNext(given: Given, { say, paint, text, env }: Terminal): void {
  // In a clone `neuromem` is not on the path.
  const name = env.npm_lifecycle_event === "start" ? "npx neuromem" : "neuromem";
  const asHere = ["preset", "db"].filter((option) => given.isSet(option));
  const same = [
    `--scope ${given.text("scope")}`,
    ...asHere.map((one) => `--${one} "${given.text(one)}"`),
  ].join(" ");
  const rows: readonly { en: string; zh: string }[] = [
    {
      en: `${name} recall "Where is Ben going in April?" --explain ${same}`,
      zh: `${name} recall "李强的猫叫什么" --explain ${same}`,
    },
    { en: `${name} chat ${same}`, zh: `${name} chat ${same}` },
    { en: `${name} init`, zh: `${name} init` },
    { en: `${name} preset list`, zh: `${name} preset list` },
    { en: `${name} --help`, zh: `${name} --help` },
  ];
  say(paint("dim", text({ en: "Next:", zh: "接下来：" })));
  for (const row of rows) say(paint("dim", `  ${text(row)}`));
}
