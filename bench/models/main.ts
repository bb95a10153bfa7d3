/**
 * `npm run bench:models -- --data DIR`: how good and how fast are the built-in embedders? DIR (or NEUROMEM_DATA) holds the
 * evaluation data, which is no part of the project; rows that need it are left out without it.
 *
 *   -- --json            one JSON object on stdout, {"rows":[{"what","value","bar","met"}]}; progress goes to stderr
 *
 * Vectors are kept in a folder of the system's temporary directory: a first run takes minutes, a rerun seconds.
 */
import { parseArgs } from "node:util";
import { findModelPackage, type ModelPackage, openTokenizer } from "../../src/models/local/model-package.ts";
import { onnxEmbedder } from "../../src/models/local/onnx-embedder.ts";
import { staticEmbedder } from "../../src/models/local/static-embedder.ts";
import { takeTurns } from "../measure.ts";
import { atLeast, atMost, figure, isMet, type Row, toJson, toTable } from "../report.ts";
import { scoreChinese } from "./chinese.ts";
import { type LocomoScores, loadLocomo, scoreLocomo } from "./locomo.ts";
import { scoreMusique } from "./musique.ts";
import { estimateError, loadMemoryBankTurns } from "./token-estimate.ts";
import { ZH_PAIRS } from "./zh-pairs.ts";

const { values: args } = parseArgs({
  options: { json: { type: "boolean", default: false }, data: { type: "string" } },
});
const data = args.data ?? process.env.NEUROMEM_DATA;
const note = (line: string): void => void process.stderr.write(`${line}\n`);
const percent = (value: number): string => value.toFixed(1);

const english = packageOf("en");
const encoder = onnxEmbedder(english);
const table = staticEmbedder(english);
const rows: Row[] = [];
if (data === undefined) note("No --data DIR and no NEUROMEM_DATA: rows on LoCoMo and MuSiQue are left out.");
else rows.push(...(await onData(data)));
note("speed …");
rows.push(...(await speed()));
note("Chinese …");
rows.push(...(await chinese()));
await encoder.close();

const missed = rows.filter((row) => !isMet(row)).length;
note(`${rows.length} rows, ${missed === 0 ? "all bars met" : `${missed} missed`}`);
process.stdout.write(`${args.json ? toJson(rows) : toTable(rows)}\n`);

async function onData(folder: string): Promise<Row[]> {
  note("LoCoMo …");
  const conversations = await loadLocomo(folder);
  const teacher = await scoreLocomo(encoder, conversations);
  const pupil = await scoreLocomo(table, conversations);
  note("MuSiQue …");
  const musique = await scoreMusique(encoder, folder);
  const musiqueTable = await scoreMusique(table, folder);
  const turns = conversations.flatMap((one) => one.turns);
  const chineseTurns = loadMemoryBankTurns(folder);
  return [
    {
      what: "LoCoMo, encoder alone, participants' names taken out of the query: evidence R@10, categories 1–4",
      value: teacher.at(10),
      bar: atLeast(66, "%"),
      measured: locomoFigures(teacher),
    },
    {
      what: "LoCoMo, static table against its teacher, same measure",
      value: (100 * pupil.at(10)) / teacher.at(10),
      bar: atLeast(85, "%"),
      measured: `R@10 ${percent(pupil.at(10))}; ${locomoFigures(pupil)}`,
    },
    {
      what: "MuSiQue-train, encoder alone: passages R@5",
      value: musique(5),
      bar: atLeast(60, "%"),
      measured: `R@2 ${percent(musique(2))}, R@10 ${percent(musique(10))}; static table R@5 ${percent(musiqueTable(5))}`,
    },
    {
      what: "token estimate against o200k, English turns of LoCoMo: mean error",
      value: estimateError(turns),
      bar: atMost(10, "%"),
      measured: `${turns.length} turns`,
    },
    {
      what: "token estimate against o200k, Chinese turns of MemoryBank: mean error",
      value: estimateError(chineseTurns),
      bar: atMost(10, "%"),
      measured: `${chineseTurns.length} turns; the colloquial turns of the 100 pairs ${percent(estimateError(ZH_PAIRS.map(({ turn }) => turn)))} %`,
    },
  ];
}

function locomoFigures(scores: LocomoScores): string {
  return `R@5 ${percent(scores.at(5))}, R@20 ${percent(scores.at(20))}; R@10 by category 1–4 ${scores.byCategory
    .slice(0, 4)
    .map(percent)
    .join(" / ")}, apart from them category 5 ${percent(scores.byCategory[4] ?? 0)}`;
}

async function speed(): Promise<Row[]> {
  const tokenizer = openTokenizer(english);
  const texts = Array.from({ length: 60 }, (_, i) => fortyTokens(i, tokenizer.encode));
  const textOf = (task: number): string => texts[task % texts.length] ?? "";
  const many = Array.from({ length: 100 }, (_, i) => textOf(i));
  const ms = await takeTurns(60, 5, {
    encoder: { run: (task) => encoder.embed([textOf(task)]) },
    table: { run: () => table.embed(many) },
  });
  const perText = ms("table") / many.length;
  return [
    {
      what: "encoder, one text of 40 tokens on one thread",
      value: ms("encoder"),
      bar: atMost(20, "ms"),
      measured: "median of 60",
    },
    {
      what: "static table against the encoder, time per text of 40 tokens",
      value: ms("encoder") / perText,
      bar: atLeast(50, "×"),
      measured: `${figure(1000 * perText)} µs per text`,
    },
  ];
}

async function chinese(): Promise<Row[]> {
  const model = packageOf("zh");
  const zhEncoder = onnxEmbedder(model);
  const scores = await scoreChinese(zhEncoder);
  const { dense: tableAlone, mixed: tableMixed } = await scoreChinese(staticEmbedder(model));
  await zhEncoder.close();
  const at = (k: number): string =>
    `R@${k} words ${percent(scores.lexical(k))}, encoder ${percent(scores.dense(k))}, both ${percent(scores.mixed(k))}, static table ${percent(tableAlone(k))}, words and table ${percent(tableMixed(k))}`;
  return [
    {
      what: "Chinese, 100 pairs: words and encoder over words alone, R@5",
      value: scores.mixed(5) - scores.lexical(5),
      bar: atLeast(5, "points"),
      measured: `${at(5)}; ${at(1)}`,
    },
    {
      what: "Chinese, 100 pairs: words and static table over words alone, R@5",
      value: tableMixed(5) - scores.lexical(5),
      bar: atLeast(5, "points"),
      measured: "as above",
    },
  ];
}

/** A text of exactly forty tokens, frame included, unlike the others. */
function fortyTokens(seed: number, encode: (text: string) => number[]): string {
  const words = `Last week ${seed} of us walked along the river, had coffee near the old bridge and talked about the new job in the city, the garden, the children and the summer holidays by the sea again and again`;
  const list = words.split(" ");
  while (encode(list.join(" ")).length > 38) list.pop();
  return list.join(" ");
}

function packageOf(language: "en" | "zh"): ModelPackage {
  const model = findModelPackage(language);
  if (model === undefined) throw new Error(`The package of "${language}" is not installed; run npm install.`);
  return model;
}
