import { expect, test } from "vitest";
import { momentSchema } from "./moment.ts";

test("[C-21] a moment is a whole number of milliseconds that a calendar can print", () => {
  for (const moment of [0, -62_167_219_200_000, 253_402_300_799_999])
    expect(momentSchema.safeParse(moment).success).toBe(true);
  for (const moment of [1.5, Number.NaN, 9e15, -9e15, "0"])
    expect(momentSchema.safeParse(moment).success).toBe(false);
});
