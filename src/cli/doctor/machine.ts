/** Is the machine fit? Node, SQLite, and a folder that keeps what is written to it. */
import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Finding, look, same } from "./finding.ts";

const OLDEST = [22, 13] as const;

export async function lookAtNode(): Promise<Finding> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const isFit = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  return {
    name: "node",
    state: isFit ? "ok" : "fail",
    found: same(`Node ${process.versions.node}`),
    ...(isFit
      ? {}
      : {
          remedy: {
            en: `Install Node ${OLDEST.join(".")} or newer.`,
            zh: `请安装 Node ${OLDEST.join(".")} 或更新版本。`,
          },
        }),
  };
}

/** Written, closed, opened again and read. */
export function lookAtFolder(file: string): Promise<Finding> {
  const folder = nearestFolder(dirname(file));
  const trial = join(folder, `.neuromem-doctor-${process.pid}.db`);
  const remedy = {
    en: `Make ${folder} writable, or name another file with --db.`,
    zh: `让 ${folder} 可写，或用 --db 指定其他文件。`,
  };
  return look("sqlite", remedy, async () => {
    const said = "记住 this";
    try {
      const written = new DatabaseSync(trial);
      written.exec("create table t (x text)");
      written.prepare("insert into t values (?)").run(said);
      written.close();
      const read = new DatabaseSync(trial, { readOnly: true });
      const row = read.prepare("select x, sqlite_version() as version from t").get();
      read.close();
      const isSame = row?.x === said;
      return {
        name: "sqlite",
        state: isSame ? "ok" : "fail",
        found: {
          en: `SQLite ${row?.version}; ${folder} ${isSame ? "keeps what is written" : "gives back something else than was written"}`,
          zh: `SQLite ${row?.version}；${folder} ${isSame ? "读写正常" : "读回的内容与写入的不同"}`,
        },
        ...(isSame ? {} : { remedy }),
      };
    } finally {
      for (const end of ["", "-journal", "-wal", "-shm"]) rmSync(`${trial}${end}`, { force: true });
    }
  });
}

/** A memory that is not made yet will be made in a folder that may not be there yet. */
function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

/** Read only, whatever state it is in. */
export function lookAtFile(file: string): Promise<Finding> {
  const remedy = {
    en: `Keep a copy of ${file}; neuromem export may still read it. Restore a backup.`,
    zh: `请先备份 ${file}；neuromem export 也许仍可读取。建议用备份恢复。`,
  };
  return look("file", remedy, async () => {
    if (!existsSync(file)) {
      return {
        name: "file",
        state: "warn",
        found: { en: `There is no memory ${file} yet.`, zh: `还没有记忆文件 ${file}。` },
        remedy: { en: "neuromem init makes one.", zh: "用 neuromem init 建立。" },
      };
    }
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const faults = database.prepare("pragma integrity_check").all();
      const first = String(faults[0]?.integrity_check ?? "");
      const isSound = faults.length === 1 && first === "ok";
      return {
        name: "file",
        state: isSound ? "ok" : "fail",
        found: isSound
          ? { en: `${file} is sound`, zh: `${file} 完好` }
          : { en: `${file} is damaged: ${first}`, zh: `${file} 已损坏：${first}` },
        ...(isSound ? {} : { remedy }),
      };
    } finally {
      database.close();
    }
  });
}
