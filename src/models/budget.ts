/**
 * How much may be spent? Calls, tokens and money per day, for each scope and for all together. Every call is estimated and
 * reserved before it is sent and settled by what it really used; one that does not fit any more is refused with the limit,
 * what was used and what remains. Spending is what the ledger remembers, so a restart does not refill the purse.
 */
import { type Clock, systemClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { createQueue } from "../base/promise.ts";
import { PUBLIC } from "../base/scope.ts";
import { silent, type Trace } from "../base/trace.ts";
import { type CountTokens, estimateUsage } from "./estimate.ts";
import { usageOf } from "./failure.ts";
import { addSpending, type Ledger, memoryLedger, NOTHING_SPENT, type Spending } from "./ledger.ts";
import { type Middleware, type Model, wrapModel } from "./middleware.ts";
import { type ChatModel, type Embedder, NO_USAGE, type Reranker, type Usage } from "./model.ts";
import { costOf, type Prices } from "./prices.ts";

export type BudgetLimits = { readonly [Key in keyof Spending]?: number | undefined };

export interface BudgetOptions {
  /** Of every single scope, per day. Calls without a scope are the public scope's. */
  readonly perScope?: BudgetLimits | undefined;
  /** Of all scopes together, per day. */
  readonly overall?: BudgetLimits | undefined;
  /** Needed for limits of money. */
  readonly prices?: Prices | undefined;
  /** Where a day begins (default "UTC"). */
  readonly zone?: string | undefined;
}

export interface BudgetDeps {
  /** The tokens a text will be counted as; an estimate will do. */
  readonly countTokens: CountTokens;
  readonly ledger?: Ledger | undefined;
  readonly clock?: Clock | undefined;
  readonly trace?: Trace | undefined;
}

const ALL = "*";

/** One purse: models that are given the same one spend from it together. */
export interface Budget {
  readonly around: Middleware;
}

export function withBudget(model: ChatModel, budget: Budget): ChatModel;
export function withBudget(model: Embedder, budget: Budget): Embedder;
export function withBudget(model: Reranker, budget: Budget): Reranker;
export function withBudget(model: Model, budget: Budget): Model {
  return wrapModel(model, budget.around);
}

export function createBudget(options: BudgetOptions, deps: BudgetDeps): Budget {
  const { perScope = {}, overall = {}, prices, zone = "UTC" } = options;
  const { ledger = memoryLedger(), clock = systemClock, countTokens, trace = silent } = deps;
  const needsPrice = perScope.money !== undefined || overall.money !== undefined;
  const dayOf = dayFormat(zone);
  const purse = createPurse(ledger, trace);

  const around: Middleware = async (call, next) => {
    const spendingOf = (usage: Usage): Spending => toSpending(call.model, usage, prices, needsPrice);
    const estimated = estimateUsage(call.texts, call.maxTokens, countTokens);
    const needed = spendingOf(estimated);
    const day = dayOf(clock.now());
    const accounts = [
      { name: call.options.scope ?? PUBLIC, limits: perScope },
      { name: ALL, limits: overall },
    ];
    await purse.reserve(accounts, day, needed);
    const outcome = await next(call.options).catch(async (error: unknown) => {
      await purse.settle(accounts, day, needed, spendingOf(lostUsage(error, estimated, countTokens)));
      throw error;
    });
    const real = saidOrCounted(outcome.usage, estimated, outcome.said ?? "", countTokens);
    await purse.settle(accounts, day, needed, spendingOf(real));
    return outcome;
  };
  return { around };
}

/** Who does not say what was used is counted: by what was sent, and what came back. */
function saidOrCounted(usage: Usage, estimated: Usage, said: string, countTokens: CountTokens): Usage {
  return {
    inputTokens: usage.inputTokens || estimated.inputTokens,
    outputTokens: usage.outputTokens || (said === "" ? 0 : countTokens(said)),
  };
}

/**
 * A useless answer costs what it says. One with an error status is not billed; for a call that was cut off its input may
 * be, and what was heard of the reply.
 */
function lostUsage(error: unknown, estimated: Usage, countTokens: CountTokens): Usage {
  const details = MemoryError.is(error) ? error.details : {};
  if ("status" in details) return NO_USAGE;
  const raw = typeof details.raw === "string" ? details.raw : "";
  return saidOrCounted(usageOf(error) ?? NO_USAGE, estimated, raw, countTokens);
}

interface Purse {
  reserve(accounts: readonly Account[], day: string, needed: Spending): Promise<void>;
  settle(accounts: readonly Account[], day: string, needed: Spending, real: Spending): Promise<void>;
}

/**
 * What calls under way will need counts as spent, so that many at once cannot each take the same last coin. So does what a
 * failing ledger could not write down; it is written with the next call.
 */
function createPurse(ledger: Ledger, trace: Trace): Purse {
  const inTurn = createQueue();
  const reserved = new Map<string, Spending>();
  const unwritten = new Map<string, Spending>();
  const hold = (account: string, more: Spending): void => {
    const sum = addSpending(reserved.get(account) ?? NOTHING_SPENT, more);
    if (sum.calls === 0) reserved.delete(account);
    else reserved.set(account, sum);
  };
  const write = async (account: string, day: string, real: Spending): Promise<void> => {
    const key = `${day} ${account}`;
    const due = addSpending(unwritten.get(key) ?? NOTHING_SPENT, real);
    unwritten.delete(key);
    try {
      await ledger.add(account, day, due);
    } catch (error) {
      unwritten.set(key, due);
      const reason = error instanceof Error ? error.message : String(error);
      const message = `What was spent could not be written down and is remembered until it can: ${reason}`;
      trace({ type: "warning-raise", code: "storage_io", message });
    }
  };
  return {
    reserve: (accounts, day, needed) =>
      inTurn(async () => {
        for (const { name, limits } of accounts) {
          const written = await ledger.spent(name, day);
          const open = addSpending(
            reserved.get(name) ?? NOTHING_SPENT,
            unwritten.get(`${day} ${name}`) ?? NOTHING_SPENT,
          );
          check(name, day, limits, addSpending(written, open), needed);
        }
        for (const { name } of accounts) hold(name, needed);
      }),
    settle: (accounts, day, needed, real) =>
      inTurn(async () => {
        for (const { name } of accounts) {
          hold(name, { calls: -needed.calls, tokens: -needed.tokens, money: -needed.money });
        }
        for (const { name } of accounts) await write(name, day, real);
      }),
  };
}

interface Account {
  readonly name: string;
  readonly limits: BudgetLimits;
}

function check(account: string, day: string, limits: BudgetLimits, used: Spending, needed: Spending): void {
  for (const limit of ["calls", "tokens", "money"] as const) {
    const most = limits[limit];
    if (most === undefined || used[limit] + needed[limit] <= most) continue;
    const remaining = Math.max(0, most - used[limit]);
    const whose = account === ALL ? "of all scopes together" : `of the scope "${account}"`;
    throw new MemoryError(
      "budget_exceeded",
      `The budget of ${limit} ${whose} for ${day} is ${show(most)}: ${show(used[limit])} used, ${show(remaining)} left, and this call needs about ${show(needed[limit])}. Valid: a smaller call, a higher limit, or the next day.`,
      {
        details: { limit, account, day, most, used: used[limit], remaining, needed: needed[limit] },
      },
    );
  }
}

function toSpending(model: string, usage: Usage, prices: Prices | undefined, needsPrice: boolean): Spending {
  const money = costOf(prices, model, usage);
  if (money === undefined && needsPrice) {
    throw new MemoryError(
      "option_invalid",
      `There is a budget of money, but no price of "${model}". Valid: a row for it in the price table, with zeros if it is free.`,
    );
  }
  return { calls: 1, tokens: usage.inputTokens + usage.outputTokens, money: money ?? 0 };
}

function show(amount: number): string {
  return Number.isInteger(amount) ? String(amount) : amount.toPrecision(4);
}

/** Swedish dates are ISO dates. */
function dayFormat(zone: string): (ms: number) => string {
  try {
    const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
    return (ms) => format.format(ms);
  } catch (error) {
    throw new MemoryError(
      "option_invalid",
      `"${zone}" is not a time zone. Valid: IANA names, as "Asia/Shanghai".`,
      {
        cause: error,
      },
    );
  }
}
