/** A moment in epoch milliseconds, within the years 0 to 9999: beyond them dates can be neither printed nor moved. */
import { z } from "zod";

const FIRST = Date.parse("0000-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

export const momentSchema: z.ZodType<number, number> = z.number().int().min(FIRST).max(LAST);
