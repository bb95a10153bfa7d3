import { expect, test } from "vitest";
import { z } from "zod";
import { toReplyShape } from "./reply-schema.ts";

test("every object is closed, every property required, what may be left out may be null", () => {
  const { schema, strict } = toReplyShape(
    "x",
    z.object({
      a: z.string().min(3).describe("a name"),
      b: z.number().int().min(0).max(9).optional(),
      c: z.array(z.string()).default([]),
      d: z.enum(["x", "y"]).nullable().optional(),
      e: z.array(z.object({ f: z.union([z.string(), z.array(z.number())]), g: z.string().nullish() })),
    }),
  );
  expect(strict).toBe(true);
  expect(schema).toEqual({
    type: "object",
    properties: {
      a: { type: "string", description: "a name" },
      b: { anyOf: [{ type: "integer", minimum: 0, maximum: 9 }, { type: "null" }] },
      c: { type: "array", items: { type: "string" } },
      d: { anyOf: [{ type: "string", enum: ["x", "y"] }, { type: "null" }] },
      e: {
        type: "array",
        items: {
          type: "object",
          properties: {
            f: { anyOf: [{ type: "string" }, { type: "array", items: { type: "number" } }] },
            g: { type: ["string", "null"] },
          },
          required: ["f", "g"],
          additionalProperties: false,
        },
      },
    },
    required: ["a", "b", "c", "d", "e"],
    additionalProperties: false,
  });
});

test("records are not strict; other roots go under a key; transforms are described by their input", () => {
  expect(toReplyShape("x", z.object({ r: z.record(z.string(), z.number()) }))).toMatchObject({
    strict: false,
    schema: { properties: { r: { additionalProperties: { type: "number" } } } },
  });
  expect(toReplyShape("x", z.array(z.string())).schema).toEqual({
    type: "object",
    properties: { value: { type: "array", items: { type: "string" } } },
    required: ["value"],
    additionalProperties: false,
  });
  const trimmed = toReplyShape("x", z.object({ t: z.string().transform((text) => text.length) }));
  expect(trimmed.schema).toMatchObject({ properties: { t: { type: "string" } } });
});

test("recursive schemas keep their definitions, closed as well", () => {
  const node: z.ZodType = z.object({ name: z.string(), children: z.lazy(() => z.array(node)) });
  const { schema } = toReplyShape("tree", z.object({ root: node }));
  expect(JSON.stringify(schema)).toContain("$ref");
  expect(JSON.stringify(schema)).not.toContain('"$schema"');
});
