/** A memory between clients and a model's server, until somebody ends it. */
import { MemoryError } from "../../base/errors.ts";
import { PROXY_LIMITS } from "../../server/proxy/proxy-options.ts";
import { serveProxy } from "../../server/proxy/serve-proxy.ts";
import { baseUrl } from "../../server/proxy/upstream.ts";
import { DEFAULT_HOST, refuseWithoutKeys } from "../../server/serve.ts";
import type { Given } from "../command.ts";
import { amount, wholeFromZero, wholeNumber } from "../option-values.ts";
import { graceOf, keysOf, megabytes, portOf } from "../serving-options.ts";
import type { Terminal } from "../terminal.ts";
import { untilTold } from "../until-told.ts";
import { withMemory } from "../with-memory.ts";

const ENDING = {
  en: "Ending: answers that are under way go on to their end, what was said is written down. Again: at once.",
  zh: "正在结束：进行中的回答会继续到底，说过的话会写下来。再次按下则立即结束。",
};
const LATE = {
  en: "Not every answer ended in time; those that were cut off were not recorded.",
  zh: "未能全部按时结束；被中断的回答没有记录。",
};

export async function runProxy(given: Given, terminal: Terminal): Promise<number> {
  const { text, note } = terminal;
  const options = await optionsOf(given, terminal);
  const ending = untilTold(options.graceMs + CLOSING_MS, {
    asked: () => note(text(ENDING)),
    late: () => note(text(LATE)),
  });
  try {
    return await withMemory(given, terminal, { isNew: true, background: true }, async ({ memory, file }) => {
      const serving = await serveProxy({ memory, log: note, ...options });
      const { scope, preset } = memory;
      const hasKeys = options.keys !== null;
      const upstream = withoutLogin(options.upstream);
      sayProxy({ url: serving.url, upstream, file, scope, preset, hasKeys }, terminal);
      await ending.told;
      await serving.close();
      return 0;
    });
  } finally {
    ending.end();
  }
}

/** After the last answer, to write down what was said. */
const CLOSING_MS = 5000;

/** Everything is looked at before a memory is made for nothing. */
async function optionsOf(given: Given, terminal: Terminal) {
  const upstream = given.text("upstream");
  if (upstream === undefined)
    throw new MemoryError(
      "option_invalid",
      "--upstream is missing: somebody has to answer. Valid: the base URL of a server that speaks OpenAI's API, as --upstream https://api.openai.com/v1.",
    );
  const keys = await keysOf(given, terminal);
  const host = given.text("host") ?? DEFAULT_HOST;
  refuseWithoutKeys(host, keys);
  return {
    upstream: baseUrl(upstream).href,
    upstreamKey: upstreamKey(given, terminal),
    ...{ host, keys },
    port: portOf(given),
    sessionHeader: headerName(given.text("session-header") ?? ""),
    userIsScope: given.isSet("user-is-scope"),
    budget: wholeNumber(given, "budget"),
    limit: wholeNumber(given, "limit"),
    patienceMs: Math.ceil((amount(given, "patience") ?? 0) * 1000),
    graceMs: graceOf(given),
    limits: {
      ...PROXY_LIMITS,
      bodyBytes: megabytes(given, "max-body"),
      perMinute: wholeFromZero(given, "rate") ?? 0,
    },
  };
}

/** One that was named must be there. */
function upstreamKey(given: Given, { env }: Terminal): string | undefined {
  const name = given.text("upstream-key-env") ?? "";
  const key = env[name];
  if (key !== undefined && key !== "") return key;
  if (!given.isSet("upstream-key-env")) return undefined;
  throw new MemoryError(
    "option_invalid",
    `--upstream-key-env names ${name}, and the environment has no such variable. Valid: a variable with the upstream server's key.`,
  );
}

function headerName(name: string): string {
  if (/^[A-Za-z0-9-]{1,64}$/.test(name)) return name;
  throw new MemoryError(
    "option_invalid",
    `--session-header is "${name}". Valid: the name of a header, as x-conversation-id.`,
  );
}

/** A name and a password in the URL are for the upstream server, not for a screen. */
function withoutLogin(upstream: string): string {
  const { origin, pathname } = new URL(upstream);
  return origin + pathname;
}

interface ProxyNow {
  readonly url: string;
  readonly upstream: string;
  readonly file: string;
  readonly scope: string;
  readonly preset: string;
  readonly hasKeys: boolean;
}

function sayProxy(proxy: ProxyNow, { say, text, paint, giveLine }: Terminal): void {
  const { url, upstream, file, scope, preset, hasKeys } = proxy;
  giveLine(proxy);
  say(
    text({
      en: `A memory stands before ${upstream}. Base URL for clients: ${paint("bold", url)}`,
      zh: `记忆已接在 ${upstream} 之前。客户端的 base URL：${paint("bold", url)}`,
    }),
  );
  say(
    paint(
      "dim",
      text({
        en: `${file} · ${preset} · scope ${scope} · ${hasKeys ? "asks for keys" : "this machine only, no keys"}`,
        zh: `${file} · ${preset} · 范围 ${scope} · ${hasKeys ? "需要密钥" : "仅限本机，无需密钥"}`,
      }),
    ),
  );
  const key = hasKeys ? ` -H "Authorization: Bearer $NEUROMEM_KEY"` : "";
  const content = text({ en: "I moved to Rome in May.", zh: "我五月搬到了成都。" });
  const body = JSON.stringify({ model: "MODEL", messages: [{ role: "user", content }] });
  say(text({ en: "To try it:", zh: "可以试试：" }));
  say(
    `  ${paint("cyan", `curl -s ${url}/chat/completions${key} -H "Content-Type: application/json" -d '${body}'`)}`,
  );
}
