/** What does somebody see who has started a server? Where it is, and three things to try. */
import { SAMPLE_QUESTION } from "./sample-conversation.ts";
import { SAMPLE_SCOPE } from "./sample-scope.ts";
import type { Terminal } from "./terminal.ts";

export interface ServingNow {
  readonly url: string;
  readonly file: string;
  readonly scope: string;
  readonly preset: string;
  readonly hasKeys: boolean;
  /** Whether the sample is there to be asked. */
  readonly hasSample: boolean;
}

export function sayServing(serving: ServingNow, terminal: Terminal): void {
  const { url, file, scope, preset, hasKeys } = serving;
  const { say, text, paint } = terminal;
  terminal.giveLine({ ...serving, docs: `${url}/docs`, openapi: `${url}/openapi.json`, mcp: `${url}/mcp` });
  say(
    text({
      en: `NeuroMem serves ${paint("bold", url)}`,
      zh: `NeuroMem 服务地址：${paint("bold", url)}`,
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
  say();
  say(text({ en: "Three things to try:", zh: "可以试试：" }));
  for (const [place, [what, how]] of tries(serving, text).entries()) {
    say(`  ${place + 1}. ${what}`);
    say(`     ${paint("cyan", how)}`);
  }
  say();
  say(
    paint("dim", text({ en: `Every call, with examples: ${url}/docs`, zh: `所有调用及示例：${url}/docs` })),
  );
}

/** With the sample there is something to ask at once. */
function tries({ url, hasKeys, hasSample }: ServingNow, text: Terminal["text"]): [string, string][] {
  const key = hasKeys ? ` -H "Authorization: Bearer $NEUROMEM_KEY"` : "";
  const post = (path: string, body: object): string =>
    `curl -s "${url}${path}"${key} -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`;
  const said = text({ en: "I moved to Rome in May.", zh: "我五月搬到了成都。" });
  const question = text({ en: "Where do I live?", zh: "我住在哪里？" });
  const header = hasKeys ? { headers: { Authorization: "Bearer $NEUROMEM_KEY" } } : {};
  const server = { type: "http", url: `${url}/mcp`, ...header };
  const tell: [string, string] = [
    text({ en: "Tell it something", zh: "告诉它一件事" }),
    post("/v1/memories", { said }),
  ];
  const recall: [string, string] = [
    text({ en: "Ask for it", zh: "再问它" }),
    post("/v1/recall", { question }),
  ];
  const ask: [string, string] = [
    text({ en: "Ask the sample", zh: "问问示例" }),
    post(`/v1/ask?scope=${SAMPLE_SCOPE}`, { question: text(SAMPLE_QUESTION) }),
  ];
  return [
    ...(hasSample ? [ask, tell] : [tell, recall]),
    [
      text({ en: "Give it to an agent (MCP configuration)", zh: "接入智能体（MCP 配置）" }),
      JSON.stringify({ mcpServers: { neuromem: server } }),
    ],
  ];
}
