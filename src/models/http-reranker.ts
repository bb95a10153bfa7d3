/** A `/rerank` URL as a `Reranker`: the shape that Jina and Cohere began and vLLM, llama.cpp, SiliconFlow and others serve. */
import { z } from "zod";
import type { Endpoint } from "./endpoints.ts";
import { replyInvalid } from "./failure.ts";
import { fingerprint } from "./fingerprint.ts";
import { createHttp, type HttpDeps } from "./http.ts";
import type { Reranker } from "./model.ts";

const replySchema = z.looseObject({
  results: z.array(z.looseObject({ index: z.number().int(), relevance_score: z.number() })),
  usage: z.looseObject({ total_tokens: z.number().nullish() }).nullish(),
});

export function httpReranker(endpoint: Endpoint, deps: HttpDeps = {}): Reranker {
  const http = createHttp(endpoint, deps);
  return {
    id: endpoint.model,
    provider: endpoint.name,
    settings: fingerprint(endpoint.baseUrl),
    async rank(query, texts, { signal, onUsage } = {}) {
      if (texts.length === 0) return new Float64Array(0);
      const body = {
        model: endpoint.model,
        query,
        documents: texts,
        top_n: texts.length,
        return_documents: false,
      };
      const raw = await http.post("/rerank", body, signal);
      const reply = replySchema.safeParse(raw);
      const scores = new Map(
        (reply.data?.results ?? []).map(({ index, relevance_score }) => [index, relevance_score]),
      );
      onUsage?.({ inputTokens: reply.data?.usage?.total_tokens ?? 0, outputTokens: 0 });
      return Float64Array.from(texts, (_, at) => {
        const score = scores.get(at);
        if (score === undefined) {
          throw replyInvalid(http.asked, `sent no score for text ${at}.`, JSON.stringify(raw), {
            cause: reply.error,
          });
        }
        return score;
      });
    },
  };
}
