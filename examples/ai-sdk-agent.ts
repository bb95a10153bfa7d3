/**
 * An agent of the AI SDK that remembers: what it knows is put before the model, what is said is kept, and the model may look
 * for more by itself. Any OpenAI-compatible server does: OPENAI_BASE_URL (default: Ollama on this machine), OPENAI_API_KEY, MODEL.
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount } from "ai";
import { memoryTools, withMemory } from "neuromem/ai-sdk";
import { Memory } from "neuromem/runtime";

const { OPENAI_BASE_URL = "http://127.0.0.1:11434/v1", OPENAI_API_KEY, MODEL = "qwen3" } = process.env;
const provider = createOpenAICompatible({
  name: "local",
  baseURL: OPENAI_BASE_URL,
  ...(OPENAI_API_KEY === undefined ? {} : { apiKey: OPENAI_API_KEY }),
});
const memory = await Memory.open({ path: "agent.db", scope: "mia" });
const model = withMemory(provider(MODEL), { memory, session: "monday" });

for (const prompt of ["I am Mia, and I am allergic to nuts.", "Which cake may I eat?"]) {
  const { text } = await generateText({
    model,
    tools: memoryTools(memory),
    stopWhen: isStepCount(4),
    prompt,
  });
  console.log(`> ${prompt}\n${text}`);
}
await memory.close();
