/**
 * How much may be spent? Calls, tokens and money per day, for each scope and for all together. Every call is estimated and
 * reserved before it is sent and settled by what it really used; one that does not fit any more is refused with the limit,
 * what was used and what remains. Spending is what the ledger remembers, so a restart does not refill the purse.
 */
import { type Clock, systemClock } from "../base/clock.ts";
import { MemoryError } from "../base/errors.ts";
import { createQueue } from "../base/promise.ts";
import { PUBLIC } from "../base/scope.ts";
import { type CountTokens, estimateUsage } from "./estimate.ts";
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
}

const ALL = "*";

export function withBudget(model: ChatModel, options: BudgetOptions, deps: BudgetDeps): ChatModel;
export function withBudget(model: Embedder, options: BudgetOptions, deps: BudgetDeps): Embedder;
export function withBudget(model: Reranker, options: BudgetOptions, deps: BudgetDeps): Reranker;
export function withBudget(model: Model, options: BudgetOptions, deps: BudgetDeps): Model {
  return wrapModel(model, budgeted(options, deps));
}

export function budgeted(options: BudgetOptions, deps: BudgetDeps): Middleware {
  const { perScope = {}, overall = {}, prices, zone = "UTC" } = options;
  const { ledger = memoryLedger(), clock = systemClock, countTokens } = deps;
  const needsPrice = perScope.money !== undefined || overall.money !== undefined;
  const dayOf = dayFormat(zone);
  const purse = createPurse(ledger);

  return async (call, next) => {
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
      // An answer with an error status is not billed; for a call that was cut off at least its input may be.
      const answered = MemoryError.is(error) && "status" in error.details;
      const lost = answered ? NO_USAGE : { ...estimated, outputTokens: 0 };
      await purse.settle(accounts, day, needed, spendingOf(lost));
      throw error;
    });
    const { usage } = outcome;
    const unsaid = usage.inputTokens === 0 && usage.outputTokens === 0;
    await purse.settle(accounts, day, needed, spendingOf(unsaid ? estimated : usage));
    return outcome;
  };
}

interface Purse {
  reserve(accounts: readonly Account[], day: string, needed: Spending): Promise<void>;
  settle(accounts: readonly Account[], day: string, needed: Spending, real: Spending): Promise<void>;
}

/** What calls under way will need counts as spent, so that many at once cannot each take the same last coin. */
function createPurse(ledger: Ledger): Purse {
  const inTurn = createQueue();
  const reserved = new Map<string, Spending>();
  const hold = (account: string, more: Spending): void => {
    const sum = addSpending(reserved.get(account) ?? NOTHING_SPENT, more);
    if (sum.calls === 0) reserved.delete(account);
    else reserved.set(account, sum);
  };
  return {
    reserve: (accounts, day, needed) =>
      inTurn(async () => {
        for (const { name, limits } of accounts) {
          const used = addSpending(await ledger.spent(name, day), reserved.get(name) ?? NOTHING_SPENT);
          check(name, day, limits, used, needed);
        }
        for (const { name } of accounts) hold(name, needed);
      }),
    settle: (accounts, day, needed, real) =>
      inTurn(async () => {
        for (const { name } of accounts) {
          hold(name, { calls: -needed.calls, tokens: -needed.tokens, money: -needed.money });
          await ledger.add(name, day, real);
        }
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
