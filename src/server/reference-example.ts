/** How is a call made with curl? For a reader to copy; what a call needs beyond its own shape stands in the table below. */
import type { Json } from "../base/json.ts";
import type { Operation } from "../operations/index.ts";

const ADDRESS = "http://127.0.0.1:8765";

/** Bodies that say something; a call that needs none has none. */
const BODIES: Readonly<Record<string, Json>> = {
  remember: { said: "Mia moved to Rome in May. 张伟负责部署方案。" },
  record: { user: "I moved to Rome.", assistant: "How is Rome?" },
  recall: { question: "Where does Mia live?", limit: 5 },
  comprehensiveRecall: { question: "What do we know about Rome?" },
  chainedRecall: { question: "谁负责部署方案？" },
  ask: { question: "Where does Mia live?" },
  context: { question: "Plan a weekend for Mia.", budget: 800 },
  feedback: { useful: ["ID"] },
  undo: { event: 42 },
  forget: { speaker: "Mia" },
  flush: {},
  estimate: { turns: ["I moved to Rome."] },
};

export function exampleOf({ name, route, kind }: Operation): string {
  const address = `${ADDRESS}${route.path.replaceAll(/\{(\w+)\}/g, (_, field: string) => field.toUpperCase())}`;
  if (kind === "lines-in")
    return `curl -X POST ${address} -H 'content-type: application/x-ndjson' --data-binary @memory.jsonl`;
  if (kind === "lines-out") return `curl ${address} -o memory.jsonl`;
  if (route.method === "GET") return `curl ${address}`;
  const body = BODIES[name];
  if (body === undefined) return `curl -X ${route.method} ${address}`;
  return `curl -X ${route.method} ${address} -H 'content-type: application/json' -d '${JSON.stringify(body)}'`;
}
