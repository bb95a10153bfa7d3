/**
 * Which tests show which requirement, and which requirement has none yet? `npm run trace [-- --json]`
 * Reads docs/requirements.md and the names of all tests; a test cites numbers in brackets: [S0-61], a list
 * [S0-61, C-9] or a range [S3-9..S3-12]; P4-2 is the second fact of the fourth published design. A citation on a
 * `describe` counts for the group; skipped tests do not count.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";

interface Requirement {
  readonly id: string;
  readonly text: string;
  readonly tests: TestName[];
}

interface TestName {
  readonly file: string;
  readonly name: string;
}

const DOCUMENT = "docs/requirements.md";
const FOLDERS = ["src", "test", "bench", "web"];
const SKIPPED_FOLDERS = new Set(["node_modules", "dist"]);
/** Test files, and the conformance suites with their parts that test files call. */
const TEST_FILE = /(\.(test|spec)\.[cm]?[jt]sx?|-(suite|laws)\.ts)$/;
/** The first argument of test(…), it(…), describe(…), or of what test.each(…) and the like return. */
const NAMED_CALL = /(\)|\b(?:test|it|describe)(?:\.(?!skip|todo)\w+)*)\(\s*(["'`])((?:\\.|(?!\2)[^\\])*)\2/g;
const CITATION = /\[((?:[SP]\d+|C)-\d[^\]]*)\]/g;
const NUMBER = /^([SP]\d+|C)-(\d+)$/;

main(process.argv.slice(2));

function main(options: readonly string[]): void {
  const unknown = options.find((option) => option !== "--json");
  if (unknown !== undefined) fail([`Unknown option "${unknown}". Valid: --json.`]);
  const requirements = readRequirements();
  const problems: string[] = [];
  for (const test of FOLDERS.flatMap(readTestNames)) {
    for (const [, cited = ""] of test.name.matchAll(CITATION)) {
      for (const id of expand(cited, test, problems)) {
        const requirement = requirements.get(id);
        if (requirement === undefined)
          problems.push(`${describeTest(test)} cites ${id}, which ${DOCUMENT} does not list.`);
        else requirement.tests.push(test);
      }
    }
  }
  if (problems.length > 0) fail(problems);
  const all = [...requirements.values()];
  console.log(options.includes("--json") ? asJson(all) : asText(all));
}

function readRequirements(): Map<string, Requirement> {
  if (!existsSync(DOCUMENT)) fail([`${DOCUMENT} is not here. Valid: run this in the project's folder.`]);
  const found = new Map<string, Requirement>();
  for (const [, id = "", text = ""] of readFileSync(DOCUMENT, "utf8").matchAll(/^- \*\*(.+?)\*\* (.+)$/gm)) {
    if (!NUMBER.test(id)) fail([`${DOCUMENT} lists "${id}". Valid: S0-1 …, C-1 … or P1-1 ….`]);
    if (found.has(id)) fail([`${DOCUMENT} lists ${id} twice.`]);
    found.set(id, { id, text, tests: [] });
  }
  return found;
}

function readTestNames(folder: string): TestName[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => TEST_FILE.test(path) && !path.split(sep).some((part) => SKIPPED_FOLDERS.has(part)))
    .sort()
    .flatMap((path) => {
      const file = join(folder, path);
      const calls = readFileSync(file, "utf8").matchAll(NAMED_CALL);
      return [...calls].map(([, , , name = ""]) => ({ file: file.split(sep).join("/"), name }));
    });
}

/** The numbers a citation means; what cannot be read becomes a problem. */
function expand(cited: string, test: TestName, problems: string[]): string[] {
  return cited.split(",").flatMap((part) => {
    const [from, to] = part.split("..").map((end) => NUMBER.exec(end.trim()));
    const single = !part.includes("..");
    const first = Number(from?.[2]);
    const last = single ? first : Number(to?.[2]);
    if (!from || (!single && from[1] !== to?.[1]) || !(first <= last) || part.split("..").length > 2) {
      problems.push(`${describeTest(test)} cites [${cited}]. Valid: [S0-61], [S0-61, C-9] or [S3-9..S3-12].`);
      return [];
    }
    return Array.from({ length: last - first + 1 }, (_, step) => `${from[1]}-${first + step}`);
  });
}

function asJson(all: readonly Requirement[]): string {
  const missing = all.filter(({ tests }) => tests.length === 0).map(({ id }) => id);
  return JSON.stringify(
    { total: all.length, shown: all.length - missing.length, missing, requirements: all },
    null,
    2,
  );
}

function asText(all: readonly Requirement[]): string {
  const shown = all.filter(({ tests }) => tests.length > 0);
  const lines = shown.flatMap(({ id, text, tests }) => [
    `${id}  ${text}`,
    ...tests.map((test) => `    ${describeTest(test)}`),
  ]);
  const groups = Map.groupBy(all, ({ id }) => id.split("-")[0] ?? id);
  const counts = [...groups].map(([group, members]) => {
    const missing = members.filter(({ tests }) => tests.length === 0).map(({ id }) => id);
    const rest =
      missing.length === 0 ? "all shown" : `${missing.length} of ${members.length}: ${missing.join(" ")}`;
    return `    ${group}  ${rest}`;
  });
  const summary = `${shown.length} of ${all.length} requirements are shown by a test. Without one yet:`;
  return [...lines, "", summary, ...counts].join("\n");
}

function describeTest({ file, name }: TestName): string {
  return `${file}: ${name}`;
}

function fail(problems: readonly string[]): never {
  console.error(problems.join("\n"));
  process.exit(2);
}
