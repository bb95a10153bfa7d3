/** The numbers of a design tuned on a data set: what they gain on cases left out, how stable they are, and what to use. */
import { access, constants, mkdir, writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import type { Json } from "../../base/json.ts";
import { percentInterval, pointsInterval } from "../../lab/report/figures.ts";
import { type TuneJob, type TuneReport, tune } from "../../lab/tune/tune.ts";
import { tunedYaml } from "../../lab/tune/tuned-yaml.ts";
import { loadPreset } from "../../preset/load.ts";
import { benchUnderway } from "../bench-underway.ts";
import { cacheFolder } from "../cache-folder.ts";
import type { Given } from "../command.ts";
import { wholeFromZero, wholeNumber } from "../option-values.ts";
import type { Terminal } from "../terminal.ts";
import { padEnd, widthOf } from "../text-width.ts";

const SCORES = { en: "cases scored", zh: "个案例已评分" };

export async function tunePreset(given: Given, terminal: Terminal): Promise<number> {
  const job = jobOf(given, terminal);
  const out = given.text("out");
  if (out !== undefined) await preparePlace(out);
  const report = await benchUnderway(terminal, SCORES, ({ signal, reach }) =>
    tune(job, {
      ...{ signal, env: terminal.env },
      onFound: (count, areOfToday) => terminal.note(foundText(count, areOfToday, terminal)),
      onProgress: ({ done, total, msLeft }) => reach(done, total, msLeft),
    }),
  );
  if (out !== undefined) await writeFile(out, await yamlOf(out, job, report));
  terminal.give({ ...report, ...(out === undefined ? {} : { out }) });
  sayReport(report, terminal);
  if (out !== undefined) terminal.say(terminal.text({ en: `\nWrote ${out}.`, zh: `\n已写入 ${out}。` }));
  return 0;
}

function foundText(count: number, areOfToday: boolean, { text }: Terminal): string {
  return areOfToday
    ? text({ en: `Going on with ${count} scores of an earlier tune.`, zh: `沿用此前的 ${count} 个得分。` })
    : text({
        en: `${count} scores of an earlier tune are thrown away: the program finds others today.`,
        zh: `此前的 ${count} 个得分已丢弃：程序现在得出的结果不同。`,
      });
}

function jobOf(given: Given, { env }: Terminal): TuneJob {
  return {
    dataset: needed(given, "dataset", "KIND=PATH, as locomo=locomo10.json"),
    preset: needed(given, "preset", "a preset's name, or the path of a file"),
    vary: given.texts("vary"),
    measure: given.text("measure") ?? "",
    folds: wholeNumber(given, "folds") ?? 0,
    tries: wholeNumber(given, "tries") ?? 0,
    seed: wholeFromZero(given, "seed") ?? 0,
    cache: given.text("cache") ?? cacheFolder(env),
    fresh: given.isSet("fresh"),
  };
}

function needed(given: Given, option: string, valid: string): string {
  const value = given.text(option);
  if (value !== undefined && value !== "") return value;
  throw new MemoryError("option_invalid", `--${option} is missing. Valid: --${option} ${valid}.`);
}

/** Before anything is computed: hours later is too late to find that there is no place for it. */
async function preparePlace(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new MemoryError(
      "name_taken",
      `${path} is there already, and is not overwritten. Valid: another --out.`,
    );
  const folder = dirname(resolve(path));
  await mkdir(folder, { recursive: true })
    .then(() => access(folder, constants.W_OK))
    .catch((cause: unknown) => {
      throw new MemoryError(
        "storage_io",
        `Nothing can be written to the folder ${folder}. Valid: an --out in a folder of your own.`,
        { cause },
      );
    });
}

/** A preset of the caller's own is named from where the new file lies. */
async function yamlOf(out: string, job: TuneJob, report: TuneReport): Promise<string> {
  const isFile = /\.ya?ml$/.test(job.preset);
  const parent = isFile ? relative(dirname(resolve(out)), resolve(job.preset)) : job.preset;
  return tunedYaml({ command: commandOf(job), parent, preset: await loadPreset(job.preset), report });
}

/** Could be typed again; where the scores lie says nothing about what was found. */
function commandOf({ dataset, preset, vary, measure, folds, tries, seed }: TuneJob): string {
  const words = [
    ...["--dataset", dataset, "--preset", preset, ...vary.flatMap((one) => ["--vary", one])],
    ...["--measure", measure, "--folds", folds, "--tries", tries, "--seed", seed],
  ];
  return ["neuromem bench tune", ...words.map((word) => quoted(String(word)))].join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./#-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function sayReport(report: TuneReport, { say, text, paint }: Terminal): void {
  const { preset, dataset, measure, before, gain, verdict, folds, chosen, changed, settings, unfit } = report;
  say(
    paint("bold", `${preset.name} · ${dataset.kind} ${dataset.name} · ${measure}`) +
      paint(
        "dim",
        text({
          en: ` (${dataset.cases} cases, ${gain.count} questions, ${settings} settings)`,
          zh: `（${dataset.cases} 个案例，${gain.count} 个问题，${settings} 种设置）`,
        }),
      ),
  );
  if (unfit > 0)
    say(
      paint(
        "dim",
        text({ en: `  ${unfit} settings do not fit the preset`, zh: `  ${unfit} 种设置与预设不符` }),
      ),
    );
  say(`  ${text({ en: "as it is", zh: "原样" })}: ${percentInterval(before)}`);
  say(`  ${text({ en: "gain on cases left out", zh: "留出案例上的收益" })}: ${pointsInterval(gain)}`);
  say(`  ${verdictText(report, { text, paint })}`);
  say(`\n${paint("bold", text({ en: "What each fold chose", zh: "每一折的选择" }))}`);
  const paths = Object.keys(chosen);
  const short = shortNames(paths);
  for (const [place, fold] of folds.entries()) {
    const values = paths.map((path) => `${short.get(path)} ${shown(fold.chosen[path])}`).join(", ");
    const points = pointsInterval({ mean: fold.gain, low: fold.gain, high: fold.gain, count: 0 }).split(
      " ",
    )[0];
    say(
      `  ${place + 1}  ${padEnd(points ?? "", 6)} ${paint("dim", `(${fold.questions}: ${fold.cases.length > 4 ? `${fold.cases.slice(0, 3).join(", ")} …` : fold.cases.join(", ")})`)}  ${values}`,
    );
  }
  const heading =
    verdict === "gain"
      ? text({ en: "To use (chosen on everything)", zh: "建议使用（在全部案例上选出）" })
      : text({ en: "Chosen on everything, with no gain to show for it", zh: "在全部案例上选出，但未见收益" });
  say(`\n${paint("bold", heading)}`);
  const width = Math.max(0, ...changed.map(({ path }) => widthOf(path)));
  for (const { path, from, to } of changed)
    say(`  ${padEnd(path, width)}  ${paint("red", shown(from))} → ${paint("green", shown(to))}`);
  if (changed.length === 0)
    say(`  ${text({ en: "the preset as it is: nothing scored higher", zh: "预设原样：没有更高的得分" })}`);
}

function verdictText({ verdict }: TuneReport, { text, paint }: Pick<Terminal, "text" | "paint">): string {
  if (verdict === "gain") return paint("green", text({ en: "A gain.", zh: "有收益。" }));
  if (verdict === "loss")
    return paint("red", text({ en: "A loss: use the preset as it is.", zh: "有损失：请用原预设。" }));
  return paint(
    "yellow",
    text({ en: "No gain that can be told from chance.", zh: "没有能与偶然区分的收益。" }),
  );
}

/** The last word of a path, with as many before it as are needed to tell it from the others. */
function shortNames(paths: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    paths.map((path) => {
      const steps = path.split(".");
      const tail = (length: number): string => steps.slice(-length).join(".");
      const isOwn = (length: number): boolean =>
        paths.filter((other) => other.split(".").slice(-length).join(".") === tail(length)).length === 1;
      const length = steps.findIndex((_, place) => isOwn(place + 1)) + 1;
      return [path, tail(Math.max(1, length))];
    }),
  );
}

function shown(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}
