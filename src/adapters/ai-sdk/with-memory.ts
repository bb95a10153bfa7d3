/**
 * A model that remembers, for whatever takes a model of the AI SDK:
 *
 *     const model = withMemory(openai("…"), { memory, session: "s1" });
 *     await generateText({ model, prompt: "Where do I live?" });
 *
 * It is the same model, of the same version of the interface (V2, V3, V4), with the middleware (memory-middleware.ts) in
 * front of its two calls; so it works where `wrapLanguageModel` is not at hand or knows another version.
 */
import { MemoryError } from "../../base/errors.ts";
import type { ChatMemoryOptions } from "../chat-memory.ts";
import type { LanguageModelLike, ModelCall } from "./language-model.ts";
import { memoryMiddleware } from "./memory-middleware.ts";

const VERSIONS = ["v2", "v3", "v4"];

export function withMemory<Model extends LanguageModelLike>(model: Model, options: ChatMemoryOptions): Model {
  const version: unknown =
    typeof model === "object" && model !== null ? model.specificationVersion : undefined;
  if (typeof version !== "string" || !VERSIONS.includes(version))
    throw new MemoryError(
      "input_invalid",
      `That is no language model that can be wrapped (specificationVersion: ${String(version)}). Valid: a model object of AI SDK 5 to 7 (${VERSIONS.join(", ")}), not its name.`,
    );
  const middleware = memoryMiddleware(options);
  const doGenerate = async (call: ModelCall) => {
    const params = await middleware.transformParams({ params: call });
    return middleware.wrapGenerate({ doGenerate: () => model.doGenerate(params), params });
  };
  const doStream = async (call: ModelCall) => {
    const params = await middleware.transformParams({ params: call });
    return middleware.wrapStream({ doStream: () => model.doStream(params), params });
  };
  return new Proxy(model, {
    get(target, name) {
      if (name === "doGenerate") return doGenerate;
      if (name === "doStream") return doStream;
      return Reflect.get(target, name, target);
    },
  });
}
