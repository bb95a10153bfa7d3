import { expect, test } from "vitest";
import { ENDPOINTS, resolveEndpoint } from "./endpoints.ts";

test("every row resolves with a key and a model", () => {
  for (const name of Object.keys(ENDPOINTS)) {
    const endpoint = resolveEndpoint(name, { key: "k", model: "m" });
    expect(endpoint).toMatchObject({ name, key: "k", model: "m" });
    expect(endpoint.baseUrl).toMatch(/^https?:\/\/[^/]+\/.*[^/]$/);
    expect(endpoint.maxBatch).toBeGreaterThan(0);
  }
});

test("a missing key, an unknown name and a bad URL are refused with what would be valid", () => {
  expect(() => resolveEndpoint("openai", { model: "m" })).toThrow(/OPENAI_API_KEY/);
  expect(() => resolveEndpoint("opanai", { model: "m", key: "k" })).toThrow(/Did you mean "openai"\?/);
  expect(() => resolveEndpoint("x", { model: "m", baseUrl: "localhost:1" })).toThrow(/Valid: http/);
  expect(() => resolveEndpoint("x", { model: "m", baseUrl: "http://user:secret@host/v1" })).toThrow(
    /Valid: http/,
  );
  expect(() => resolveEndpoint("ollama", { model: " " })).toThrow(/No model/);
  expect(() => resolveEndpoint("constructor", { model: "m" })).toThrow(/Unknown endpoint/);
});

test("a key with a line break is refused, without quoting it", () => {
  for (const key of ["sk-one\nsk-two", "sk-密钥"]) {
    expect(() => resolveEndpoint("openai", { model: "m", key })).toThrow(
      /^(?!.*(sk-|密钥)).*printable ASCII/,
    );
  }
  expect(resolveEndpoint("openai", { model: "m", key: " sk-one\n" }).key).toBe("sk-one");
});

test("local servers need no key; any name works with a URL; a model may differ from its row", () => {
  expect(resolveEndpoint("ollama", { model: "qwen3" }).key).toBeUndefined();
  expect(resolveEndpoint("mine", { model: "m", baseUrl: "http://10.0.0.2:9/v1/" })).toMatchObject({
    baseUrl: "http://10.0.0.2:9/v1",
    json: "object",
  });
  expect(resolveEndpoint("qwen", { model: "m", key: "k", json: "schema" }).json).toBe("schema");
  expect(resolveEndpoint("openai", { model: "m", baseUrl: "http://localhost:4000/v1" }).json).toBe("schema");
});
