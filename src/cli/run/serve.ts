/** The memory over HTTP, until somebody ends it. */
import { DEFAULT_HOST, refuseWithoutKeys, serve } from "../../server/serve.ts";
import { spanTrace } from "../../server/spans.ts";
import type { Given } from "../command.ts";
import { loadSample } from "../load-sample.ts";
import { wholeFromZero } from "../option-values.ts";
import { SAMPLE_SCOPE } from "../sample-scope.ts";
import { graceOf, keysOf, megabytes, portOf } from "../serving-options.ts";
import { sayServing } from "../serving-text.ts";
import type { Terminal } from "../terminal.ts";
import { untilTold } from "../until-told.ts";
import { withMemory } from "../with-memory.ts";

const ENDING = {
  en: "Ending: what is under way is answered, what waits goes on at the next start. Again: at once.",
  zh: "正在结束：处理中的请求会得到回答，等待的工作在下次启动后继续。再次按下则立即结束。",
};
const LATE = {
  en: "Not everything ended in time; what was acknowledged is on disk, and work that was cut off is done again at the next start.",
  zh: "未能全部按时结束；已确认的内容都在磁盘上，被中断的工作会在下次启动后重做。",
};

export async function serveMemory(given: Given, terminal: Terminal): Promise<number> {
  const { text, note } = terminal;
  const port = portOf(given);
  const perMinute = wholeFromZero(given, "rate");
  const bodyBytes = megabytes(given, "max-body");
  const importBytes = megabytes(given, "max-import");
  const graceMs = graceOf(given);
  const host = given.text("host") ?? DEFAULT_HOST;
  const keys = await keysOf(given, terminal);
  // Before a memory is made for nothing.
  refuseWithoutKeys(host, keys);
  const ending = untilTold(graceMs, { asked: () => note(text(ENDING)), late: () => note(text(LATE)) });
  try {
    const opening = { isNew: true, background: true, traced: spanTrace };
    return await withMemory(given, terminal, opening, async ({ memory, storage, file }) => {
      if (given.isSet("sample")) await loadSample(storage, memory.in(SAMPLE_SCOPE));
      const serving = await serve({
        ...{ memory, host, port, keys, graceMs, log: note },
        origins: given.texts("open-origin"),
        limits: { bodyBytes, importBytes, ...(perMinute !== undefined && { perMinute }) },
        isVerbose: given.isSet("verbose"),
      });
      const { scope, preset } = memory;
      const hasSample = given.isSet("sample");
      sayServing({ url: serving.url, file, scope, preset, hasKeys: keys !== null, hasSample }, terminal);
      await ending.told;
      await serving.close();
      return 0;
    });
  } finally {
    ending.end();
  }
}
