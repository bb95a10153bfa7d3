/**
 * Where are the models? One row per OpenAI-compatible endpoint; a new provider is a new row. Rows say only what differs;
 * what a single model cannot do, the adapter learns from its refusal. Nothing here reads the environment: `keyName` is the
 * variable a command line or server looks in.
 */
import { MemoryError } from "../base/errors.ts";
import type { JsonObject } from "../base/json.ts";
import { validNames } from "../base/nearest-name.ts";
import type { JsonSupport } from "./model.ts";

export interface EndpointRow {
  readonly baseUrl: string;
  /** Usual name of the variable that holds the key; null where no key is needed. */
  readonly keyName: string | null;
  readonly json: JsonSupport;
  /** Texts of one embedding request. */
  readonly maxBatch: number;
  readonly maxTokensField?: "max_tokens" | "max_completion_tokens" | undefined;
  /** Fields of the body that make a model think aloud first, or keep it from it. */
  readonly thinking?: { readonly on: JsonObject; readonly off: JsonObject } | undefined;
}

const templateThinking = {
  on: { chat_template_kwargs: { enable_thinking: true } },
  off: { chat_template_kwargs: { enable_thinking: false } },
};
const qwen = {
  keyName: "DASHSCOPE_API_KEY",
  json: "object",
  maxBatch: 10,
  thinking: { on: { enable_thinking: true }, off: { enable_thinking: false } },
} as const;

export const ENDPOINTS = {
  openai: {
    baseUrl: "https://api.openai.com/v1",
    keyName: "OPENAI_API_KEY",
    json: "schema",
    maxBatch: 256,
    maxTokensField: "max_completion_tokens",
  },
  qwen: { baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1", ...qwen },
  qwen_intl: { baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", ...qwen },
  deepseek: {
    baseUrl: "https://api.deepseek.com/v1",
    keyName: "DEEPSEEK_API_KEY",
    json: "object",
    maxBatch: 64,
    thinking: { on: { thinking: { type: "enabled" } }, off: { thinking: { type: "disabled" } } },
  },
  moonshot: {
    baseUrl: "https://api.moonshot.cn/v1",
    keyName: "MOONSHOT_API_KEY",
    json: "object",
    maxBatch: 64,
  },
  zhipu: {
    baseUrl: "https://open.bigmodel.cn/api/paas/v4",
    keyName: "ZHIPUAI_API_KEY",
    json: "object",
    maxBatch: 64,
    thinking: { on: { thinking: { type: "enabled" } }, off: { thinking: { type: "disabled" } } },
  },
  siliconflow: {
    baseUrl: "https://api.siliconflow.cn/v1",
    keyName: "SILICONFLOW_API_KEY",
    json: "object",
    maxBatch: 32,
    thinking: { on: { enable_thinking: true }, off: { enable_thinking: false } },
  },
  mistral: {
    baseUrl: "https://api.mistral.ai/v1",
    keyName: "MISTRAL_API_KEY",
    json: "schema",
    maxBatch: 64,
  },
  gemini: {
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyName: "GEMINI_API_KEY",
    json: "schema",
    maxBatch: 100,
  },
  groq: {
    baseUrl: "https://api.groq.com/openai/v1",
    keyName: "GROQ_API_KEY",
    json: "object",
    maxBatch: 64,
    maxTokensField: "max_completion_tokens",
  },
  openrouter: {
    baseUrl: "https://openrouter.ai/api/v1",
    keyName: "OPENROUTER_API_KEY",
    json: "schema",
    maxBatch: 64,
  },
  ollama: {
    baseUrl: "http://localhost:11434/v1",
    keyName: null,
    json: "schema",
    maxBatch: 64,
    thinking: { on: { reasoning_effort: "medium" }, off: { reasoning_effort: "none" } },
  },
  vllm: {
    baseUrl: "http://localhost:8000/v1",
    keyName: null,
    json: "schema",
    maxBatch: 128,
    thinking: templateThinking,
  },
  lmstudio: { baseUrl: "http://localhost:1234/v1", keyName: null, json: "schema", maxBatch: 64 },
  llamacpp: {
    baseUrl: "http://localhost:8080/v1",
    keyName: null,
    json: "schema",
    maxBatch: 64,
    thinking: templateThinking,
  },
} as const satisfies Record<string, EndpointRow>;

/** What is known of a server that is in no row. */
const UNKNOWN = { keyName: null, json: "object", maxBatch: 64 } as const satisfies Omit<
  EndpointRow,
  "baseUrl"
>;

export interface EndpointSettings {
  readonly model: string;
  readonly key?: string | undefined;
  /** Another address of the same kind of server; with it any name will do. */
  readonly baseUrl?: string | undefined;
  /** What this model can do, where it differs from its endpoint's row. */
  readonly json?: JsonSupport | undefined;
}

export interface Endpoint extends Omit<EndpointRow, "keyName"> {
  readonly name: string;
  readonly model: string;
  readonly key: string | undefined;
}

export function resolveEndpoint(name: string, settings: EndpointSettings): Endpoint {
  const { keyName, ...row } = rowOf(name, settings.baseUrl);
  if (settings.model.trim() === "") {
    throw new MemoryError("option_invalid", `No model is named for the endpoint "${name}". Valid: its name.`);
  }
  const key = settings.key?.trim() || undefined;
  // A header cannot carry it, and what fails to send it would quote it.
  if (key !== undefined && /[^ -~]/.test(key)) {
    throw new MemoryError(
      "option_invalid",
      `The key for the endpoint "${name}" holds a line break or another character no key has. Valid: printable ASCII.`,
      { details: { endpoint: name } },
    );
  }
  if (key === undefined && keyName !== null && settings.baseUrl === undefined) {
    throw new MemoryError(
      "option_invalid",
      `The endpoint "${name}" needs a key. Valid: { key }, which is usually kept in ${keyName}.`,
      { details: { endpoint: name, keyName } },
    );
  }
  return { ...row, json: settings.json ?? row.json, name, model: settings.model, key };
}

function rowOf(name: string, baseUrl: string | undefined): EndpointRow {
  const rows: Readonly<Record<string, EndpointRow>> = ENDPOINTS;
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined && baseUrl === undefined) {
    throw new MemoryError(
      "unknown_name",
      `Unknown endpoint "${name}". ${validNames(name, Object.keys(rows))} Any other name is valid together with a baseUrl.`,
    );
  }
  return { ...UNKNOWN, ...row, baseUrl: checkUrl(baseUrl ?? row?.baseUrl ?? "") };
}

function checkUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    throw new MemoryError(
      "option_invalid",
      `The base URL is not one. Valid: http(s)://host/path without a name or key inside, as "http://localhost:11434/v1".`,
    );
  }
  return url.href.replace(/\/+$/, "");
}
