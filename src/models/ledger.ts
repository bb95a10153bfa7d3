/**
 * What was spent, by whom, on which day? In memory, or in a file that one run after another keeps; a storage may keep its
 * own. Several processes may add to one file, but what they add in the moment another one sums it up is lost.
 */
import { z } from "zod";
import type { MaybePromise } from "../base/promise.ts";
import { jsonlFile } from "./jsonl-file.ts";

export interface Spending {
  readonly calls: number;
  readonly tokens: number;
  /** In the unit of the price table. */
  readonly money: number;
}

export const NOTHING_SPENT: Spending = { calls: 0, tokens: 0, money: 0 };

export interface Ledger {
  /** `account` is a scope's name, or "*" for all together; `day` is as "2025-12-31". */
  spent(account: string, day: string): MaybePromise<Spending>;
  add(account: string, day: string, spending: Spending): MaybePromise<void>;
}

export function addSpending(a: Spending, b: Spending): Spending {
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens, money: a.money + b.money };
}

export function memoryLedger(): Ledger {
  const sums = new Map<string, Spending>();
  return {
    spent: (account, day) => sums.get(`${day} ${account}`) ?? NOTHING_SPENT,
    add: (account, day, spending) => {
      const key = `${day} ${account}`;
      sums.set(key, addSpending(sums.get(key) ?? NOTHING_SPENT, spending));
    },
  };
}

const amount = z.number().min(0);
const lineSchema = z.object({
  account: z.string(),
  day: z.string(),
  calls: amount,
  tokens: amount,
  money: amount,
});
type Line = z.infer<typeof lineSchema>;

/** Lines after which a file is summed up, one line per account and day, when it is opened. */
const SUM_UP = 5000;

export async function openLedger(path: string): Promise<Ledger> {
  const file = jsonlFile(path);
  const sums = new Map<string, Line>();
  const catchUp = async (): Promise<number> => {
    const { values, anew } = await file.read();
    if (anew) sums.clear();
    for (const line of values) {
      const parsed = lineSchema.safeParse(line);
      if (!parsed.success) continue;
      const { account, day } = parsed.data;
      const key = `${day} ${account}`;
      sums.set(key, { account, day, ...addSpending(sums.get(key) ?? NOTHING_SPENT, parsed.data) });
    }
    return values.length;
  };
  if ((await catchUp()) > SUM_UP) await file.replace([...sums.values()]);
  return {
    async spent(account, day) {
      // Another process may have spent meanwhile.
      await catchUp();
      return sums.get(`${day} ${account}`) ?? NOTHING_SPENT;
    },
    add: (account, day, spending) => file.append([{ account, day, ...spending }]),
  };
}
