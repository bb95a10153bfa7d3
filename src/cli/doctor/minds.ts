/** Who embeds and who thinks: are they there, and do they answer? */
import { MemoryError } from "../../base/errors.ts";
import { builtInEmbedder } from "../../models/local/built-in.ts";
import type { ChatModel } from "../../models/model.ts";
import { openEmbedder } from "../../models/open-model.ts";
import type { EndpointChoice, Preset } from "../../preset/preset.ts";
import { keyOf } from "../../preset/substitutions.ts";
import type { Terminal } from "../terminal.ts";
import { type Finding, look, same } from "./finding.ts";

const SENTENCES = { en: "Where does Mia live?", zh: "王芳住在哪里？" };

export async function lookAtEmbedder({ models, name }: Preset, env: Terminal["env"]): Promise<Finding[]> {
  if (models.embedder === null) {
    return [
      {
        name: "embedder",
        state: "ok",
        found: { en: `none: ${name} embeds nothing`, zh: `无：${name} 不做嵌入` },
      },
    ];
  }
  if (models.embedder !== "built_in") return [await lookAtServer(models.embedder, env)];
  const embedder = await builtInEmbedder();
  try {
    const findings: Finding[] = [];
    for (const language of ["en", "zh"] as const) {
      const remedy = {
        en: `npm install @neuromem/embed-${language}; without it, words are matched and meaning is not.`,
        zh: `npm install @neuromem/embed-${language}；没有它只能按词匹配，不能按意思匹配。`,
      };
      findings.push(
        await look(`embedder ${language}`, remedy, async () => {
          const choice = embedder.choices.find((one) => one.language === language);
          const started = performance.now();
          const vector = await embedder.embedDocument(SENTENCES[language]);
          const ms = (performance.now() - started).toFixed(0);
          return vector === undefined
            ? { name: `embedder ${language}`, state: "warn", found: same(choice?.why ?? "–"), remedy }
            : { name: `embedder ${language}`, state: "ok", found: same(`${vector.space}, ${ms} ms`) };
        }),
      );
    }
    return findings;
  } finally {
    await embedder.close();
  }
}

/** Opening it asks the server for one vector. */
function lookAtServer(
  { endpoint, model, base_url, api_key }: EndpointChoice,
  env: Terminal["env"],
): Promise<Finding> {
  const remedy = {
    en: "Is its server running, the name right and the key set? The preset names it under models.embedder.",
    zh: "服务器在运行吗？名字对吗？密钥设了吗？它写在预设的 models.embedder 里。",
  };
  return look("embedder", remedy, async () => {
    const started = performance.now();
    const key = api_key === null ? undefined : keyOf(api_key, env, "embedder");
    await openEmbedder(endpoint, { model, key, baseUrl: base_url ?? undefined });
    const ms = (performance.now() - started).toFixed(0);
    return { name: "embedder", state: "ok", found: same(`${endpoint}:${model}, ${ms} ms`) };
  });
}

/** One short question, answered or not. */
export function lookAtModel(model: ChatModel | undefined): Promise<Finding> {
  const remedy = {
    en: "Is its server running, the name right and the key set? --model names another one.",
    zh: "服务器在运行吗？名字对吗？密钥设了吗？可用 --model 换一个。",
  };
  return look("model", remedy, async () => {
    if (model === undefined) {
      return {
        name: "model",
        state: "ok",
        found: { en: "none: everything is done here, by rules", zh: "无：全部在本机按规则完成" },
      };
    }
    const started = performance.now();
    const request = {
      messages: [{ role: "user" as const, text: "Say OK." }],
      maxTokens: 16,
      thinking: false,
    };
    await model.generate(request, { task: "doctor", fresh: true }).catch((error: unknown) => {
      // A model that had to stop there has answered, too; a web page has not.
      const isCut =
        MemoryError.is(error) && error.code === "reply_invalid" && /maxTokens/.test(error.message);
      if (!isCut) throw error;
    });
    const ms = (performance.now() - started).toFixed(0);
    return { name: "model", state: "ok", found: same(`${model.provider}:${model.id}, ${ms} ms`) };
  });
}
