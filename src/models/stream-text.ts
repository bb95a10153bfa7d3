/** A reply as it is written: the pieces of text as an iterator, whose return value is the whole reply. Leaving early stops the call. */
import type { ChatModel, ChatOptions, ChatReply, ChatRequest } from "./model.ts";

export async function* streamText(
  model: ChatModel,
  request: ChatRequest,
  options: Omit<ChatOptions, "onText"> = {},
): AsyncGenerator<string, ChatReply> {
  const left = new AbortController();
  const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal]);
  const pieces: string[] = [];
  let wake: () => void = () => undefined;
  let ended = false;
  const onText = (piece: string): void => {
    pieces.push(piece);
    wake();
  };
  const reply = model.generate(request, { ...options, signal, onText });
  const end = (): void => {
    ended = true;
    wake();
  };
  reply.then(end, end);
  try {
    for (;;) {
      const piece = pieces.shift();
      if (piece !== undefined) yield piece;
      else if (ended) return await reply;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    left.abort();
  }
}
