/**
 * Both sides of an exchange, in one step: what the user said, then what the assistant answered (S4-20). Where the answer
 * only repeats what was recalled for it, the journal keeps it and no design takes it for news.
 */
import { z } from "zod";
import { parseEntryId } from "../base/ids.ts";
import { parseInput } from "../base/parse-input.ts";
import type { Scope } from "../base/scope.ts";
import type { NewTurn } from "../base/turn.ts";
import { RECALLED_SPANS } from "../pipeline/heard-turns.ts";
import { toFound } from "../pipeline/question.ts";
import { recalledSpans } from "./recalled-spans.ts";
import { type Remembered, type RememberOptions, remember } from "./remember.ts";
import type { Running } from "./running.ts";

/** A text, or a turn where more is known of it; each may be missing, but not both. */
export interface Exchange {
  readonly user?: string | Omit<NewTurn, "role"> | undefined;
  readonly assistant?: string | Omit<NewTurn, "role"> | undefined;
  /** Of both, where a turn names none itself. */
  readonly session?: string | undefined;
  /** What was recalled for the answer, as hits or their ids: sentences of the answer that only repeat it are no news. */
  readonly recalled?: readonly (string | RecalledText)[] | undefined;
}

/** A hit fits as it is. */
export interface RecalledText {
  readonly content: string;
  readonly text?: string | undefined;
}

export type Recorded = Remembered;

/** A turn's own fields are checked where turns are made. */
const side = z
  .union([z.string(), z.looseObject({ text: z.string(), role: z.undefined().optional() })], {
    error: "must be a text, or a turn { text, speaker, … } without a role",
  })
  .optional();

const exchangeSchema = z
  .strictObject({
    user: side,
    assistant: side,
    session: z.string().optional(),
    recalled: z
      .array(
        z.union([z.string(), z.looseObject({ content: z.string(), text: z.string().optional() })], {
          error: "must be hits of a recall, or their ids",
        }),
      )
      .optional(),
  })
  .refine(({ user, assistant }) => user !== undefined || assistant !== undefined, {
    error: "Nobody said anything. Valid: user, assistant, or both",
  });

export async function record(
  running: Running,
  scope: Scope,
  exchange: Exchange,
  options?: RememberOptions,
): Promise<Recorded> {
  parseInput(exchangeSchema, exchange, "exchange");
  const { user, assistant, session, recalled = [] } = exchange;
  const turns: NewTurn[] = [];
  if (user !== undefined) turns.push(asTurn(user, "user", session));
  if (assistant !== undefined) {
    const turn = asTurn(assistant, "assistant", session);
    const spans = recalledSpans(turn.text, await textsOf(running, scope, recalled));
    turns.push(
      spans.length === 0 ? turn : { ...turn, metadata: { ...turn.metadata, [RECALLED_SPANS]: spans } },
    );
  }
  return remember(running, scope, turns, options);
}

function asTurn(
  said: string | Omit<NewTurn, "role">,
  role: "user" | "assistant",
  session: string | undefined,
): NewTurn {
  const turn = typeof said === "string" ? { text: said } : said;
  return { ...turn, role, session: turn.session ?? session };
}

/** What each of them says, and what was shown of it; one that was forgotten meanwhile says nothing any more. */
async function textsOf(
  { storage, design }: Running,
  scope: Scope,
  recalled: readonly (string | RecalledText)[],
): Promise<string[]> {
  const given = recalled.filter((one) => typeof one !== "string");
  const ids = recalled.filter((one) => typeof one === "string").map(parseEntryId);
  const read = await storage.entries(scope, design.service.collection, ids);
  const found = read.flatMap((entry) =>
    entry === undefined ? [] : [toFound({ ...entry, score: 0, scoreParts: {} })],
  );
  return [...given, ...found].flatMap(({ content, text }) =>
    text === undefined ? [content] : [content, text],
  );
}
