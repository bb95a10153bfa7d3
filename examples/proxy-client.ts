/**
 * Memory for any client that speaks to OpenAI, by another base URL. Start the proxy first:
 *
 *     neuromem proxy --upstream https://api.openai.com/v1 --db proxy.db
 */
const {
  PROXY_URL = "http://127.0.0.1:8766/v1",
  OPENAI_API_KEY = "none",
  MODEL = "gpt-4.1-mini",
} = process.env;

async function say(content: string): Promise<void> {
  const reply = await fetch(`${PROXY_URL}/chat/completions`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      authorization: `Bearer ${OPENAI_API_KEY}`,
      "neuromem-scope": "mia",
    },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content }] }),
  });
  const { choices } = (await reply.json()) as { choices: { message: { content: string } }[] };
  console.log(
    `> ${content}\n${choices[0]?.message.content}  (memory: ${reply.headers.get("neuromem-memory")})`,
  );
}

await say("My daughter Lea was born on 3 May 2021.");
// A new conversation: nothing of the first is sent along, and yet it is known.
await say("How old is Lea?");
