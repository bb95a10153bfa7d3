/** A model that says what it is told: the scripted server with a chat model in front of it. */
import { resolveEndpoint } from "../models/endpoints.ts";
import type { ChatModel } from "../models/model.ts";
import { openAiCompatible } from "../models/openai-compatible.ts";
import { type ModelServer, type Script, startModelServer } from "./model-server.ts";

export interface ScriptedModel {
  readonly model: ChatModel;
  readonly server: ModelServer;
  close(): Promise<void>;
}

export async function scriptedModel(chat: Script): Promise<ScriptedModel> {
  const server = await startModelServer({ chat });
  const endpoint = resolveEndpoint("test", { baseUrl: server.url, model: "m", json: "schema" });
  return { model: openAiCompatible(endpoint), server, close: server.close };
}
