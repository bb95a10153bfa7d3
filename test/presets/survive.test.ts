/**
 * What every design must live through: no model; a model that goes down half-way and comes back; a stop in the middle and
 * a restart; two scopes at once. In each case what it made in the end is what it makes undisturbed.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ChatModel } from "../../src/models/model.ts";
import { listPresets, loadPreset } from "../../src/preset/load.ts";
import { derive } from "../../src/runtime/derive.ts";
import { schemaReply } from "../../src/testing/schema-reply.ts";
import { type ScriptedModel, scriptedModel } from "../../src/testing/scripted-model.ts";
import { ALICE, BOB, journalFile, madeOf, OF_ALICE, OF_BOB, open } from "./journal.ts";

let scripted: ScriptedModel;
let failAfter = Number.POSITIVE_INFINITY;
let asked = 0;
beforeAll(async () => {
  scripted = await scriptedModel((request) =>
    asked++ >= failAfter ? { status: 503, body: { error: { message: "down" } } } : schemaReply(request),
  );
});
afterAll(() => scripted.close());

async function made(preset: Awaited<ReturnType<typeof loadPreset>>, model?: ChatModel) {
  const memory = await open(await journalFile(), preset, model);
  await derive(memory.memory, memory.storage, ALICE, { finish: true });
  await derive(memory.memory, memory.storage, BOB, { finish: true });
  const result = { alice: await madeOf(memory, ALICE), bob: await madeOf(memory, BOB) };
  await memory.close();
  return result;
}

describe.each(await listPresets())("%s", (name) => {
  test("runs with no model: something of every scope is kept and recalled, in its own scope only", async () => {
    const preset = await loadPreset(name);
    const { memory, storage, close } = await open(await journalFile(), preset);
    await derive(memory, storage, ALICE, { finish: true });
    await derive(memory, storage, BOB, { finish: true });
    const ofAlice = await memory.retrieve(ALICE, { text: "Where does Mia live now?" });
    const ofBob = await memory.retrieve(BOB, { text: "王芳下周去哪里出差？" });
    const said = (found: typeof ofAlice) =>
      [...found.hits.map(({ text }) => text), found.context ?? "", ...Object.values(found.sections)].join(
        "\n",
      );
    expect(said(ofAlice)).toMatch(/Porto|Lisbon|Clara/);
    expect(said(ofAlice)).not.toMatch(/王芳|北京|成都/);
    expect(said(ofBob)).toMatch(/北京|成都|小雨/);
    expect(said(ofBob)).not.toMatch(/Porto|Lisbon/);
    expect(await storage.turns(ALICE, { limit: 100 })).toHaveLength(OF_ALICE.length);
    expect(await storage.turns(BOB, { limit: 100 })).toHaveLength(OF_BOB.length);
    await close();
  });

  test("a model that goes down half-way costs a retry: in the end all is as if it had never been down", async () => {
    const preset = await loadPreset(name);
    [failAfter, asked] = [Number.POSITIVE_INFINITY, 0];
    const expected = await made(preset, scripted.model);
    const calls = asked;
    const file = await journalFile();
    let memory = await open(file, preset, scripted.model);
    [failAfter, asked] = [Math.floor(calls / 2), 0];
    const first = await derive(memory.memory, memory.storage, ALICE, { finish: true })
      .then(() => derive(memory.memory, memory.storage, BOB, { finish: true }))
      .then(
        () => "done",
        (error: { code: string }) => error.code,
      );
    expect(first).toBe(calls === 0 ? "done" : "model_unavailable");
    await memory.close();
    failAfter = Number.POSITIVE_INFINITY;
    memory = await open(file, preset, scripted.model);
    for (const scope of [ALICE, BOB]) await derive(memory.memory, memory.storage, scope, { finish: true });
    expect({ alice: await madeOf(memory, ALICE), bob: await madeOf(memory, BOB) }).toEqual(expected);
    await memory.close();
  });

  test("a stop in the middle and two scopes taken up in turns change nothing", async () => {
    const preset = await loadPreset(name);
    const expected = await made(preset);
    const file = await journalFile();
    for (let rounds = 0; ; rounds++) {
      // A new process each time: it takes up one window of each scope and is gone, without a word.
      const { memory, storage } = await open(file, preset);
      let [windows, waiting] = [0, 0];
      for (const scope of [ALICE, BOB]) {
        const stop = new AbortController();
        const options = { finish: true, signal: stop.signal, onWindow: () => stop.abort() };
        try {
          const derived = await derive(memory, storage, scope, options);
          windows += derived.windows;
          waiting += derived.waiting;
        } catch (error) {
          expect(error).toMatchObject({ code: "aborted" });
          windows++;
        }
      }
      await storage.close();
      if (windows === 0) break;
      expect(waiting).toBe(0);
      expect(rounds).toBeLessThan(20);
    }
    const memory = await open(file, preset);
    expect({ alice: await madeOf(memory, ALICE), bob: await madeOf(memory, BOB) }).toEqual(expected);
    await memory.close();
  });
});
