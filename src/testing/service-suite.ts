/**
 * Does a service keep the laws of src/services/service.ts? One call per service:
 *
 *     testService({ name: "short_term_memory", options: { collection_name: "notes", top_k: 5, maxlen: 10 } });
 *
 * Everything runs twice: over a storage in memory and over a file that is closed and opened again.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PUBLIC } from "../base/scope.ts";
import { serviceNamed } from "../services/index.ts";
import { concurrencyLaws } from "./service-concurrency-laws.ts";
import { inputLaws } from "./service-input-laws.ts";
import { optimizeLaws } from "./service-optimize-laws.ts";
import { scopeLaws } from "./service-scope-laws.ts";
import {
  ALICE,
  BOB,
  NOTES,
  noteOf,
  type ServiceSubject,
  ServiceWorld,
  STORAGES,
  strategiesIn,
} from "./service-world.ts";

export function testService(subject: ServiceSubject): void {
  const { definition = serviceNamed(subject.name) } = subject;
  const traits = definition.traits(definition.options.parse(subject.options));
  const strategies = strategiesIn(traits.strategies);
  const variant = subject.variant === undefined ? "" : ` (${subject.variant})`;
  describe.each(STORAGES)(`service ${subject.name}${variant} on %s`, (on) => {
    let world: ServiceWorld;
    beforeEach(async () => {
      world = new ServiceWorld(subject, on);
      await world.start();
    });
    afterEach(() => world.stop());

    test.each(strategies)(
      "[S0-15][S0-16] what was inserted is found by %s, English and Chinese, before and after a reopen",
      async (strategy) => {
        const ids = [];
        for (const n of NOTES.keys()) ids.push(await world.remember(ALICE, n));
        for (let time = 0; time < 2; time++) {
          for (const [n, id] of ids.entries()) {
            const hits = await world.service.retrieve(ALICE, world.questionFor(n, strategy));
            const hit = hits.find((one) => one.id === id);
            expect(hit, `${noteOf(n)} by ${strategy}`).toMatchObject({
              id,
              content: noteOf(n),
              scope: ALICE,
            });
            expect(hit?.score).toBeTypeOf("number");
            expect(Object.keys(hit?.scoreParts ?? {}).length).toBeGreaterThan(0);
          }
          await world.reopen();
        }
      },
    );

    test.each(strategies)(
      "[C-31] own: by %s only what the scope itself holds, none of the public",
      async (strategy) => {
        const own = await world.remember(ALICE, 0);
        for (let i = 0; i < 8; i++) await world.remember(PUBLIC, 0);
        const question = { ...world.questionFor(0, strategy), own: true, topK: 1 };
        expect(await world.service.retrieve(ALICE, question)).toMatchObject([{ id: own }]);
        expect(await world.service.retrieve(BOB, question)).toEqual([]);
      },
    );

    test("[S0-15] without a hint the service finds a way by itself, and gives at most what was asked for", async () => {
      for (const n of NOTES.keys()) await world.remember(ALICE, n);
      const question = { text: noteOf(1), vectors: world.vectorsOf(1) };
      expect((await world.service.retrieve(ALICE, question)).map(({ content }) => content)).toContain(
        noteOf(1),
      );
      expect((await world.service.retrieve(ALICE, { ...question, topK: 1 })).length).toBeLessThanOrEqual(1);
    });

    test("[B.0.9-17] a look is counted and dated; one that is not to be counted is not", async () => {
      const id = await world.remember(ALICE, 0);
      const looks = async () => {
        const { accessCount, lastAccessAt } = (await world.everything(ALICE)).get(id) ?? {};
        return { accessCount, lastAccessAt };
      };
      const before = await looks();
      world.clock.advance(5000);
      for (const strategy of strategies) await world.ask(ALICE, 0, strategy, false);
      expect(await looks()).toEqual(before);
      for (const [done, strategy] of strategies.entries()) {
        world.clock.advance(5000);
        expect(await world.ask(ALICE, 0, strategy, true)).toContain(id);
        expect(await looks()).toEqual({ accessCount: done + 1, lastAccessAt: world.clock.now() });
      }
    });

    test("[B.0.9-17] what was deleted between a question and the count of its hits is not counted, the others are", async () => {
      for (const n of NOTES.keys()) await world.remember(ALICE, n);
      const [gone, ...rest] = [...(await world.everything(ALICE)).values()];
      if (gone === undefined) throw new Error("the notes are there");
      await world.service.delete(ALICE, gone.id);
      world.clock.advance(5000);
      await world.service.touch(ALICE, [gone, ...rest]);
      const looked = [...(await world.everything(ALICE)).values()];
      expect(looked.map(({ id, accessCount, lastAccessAt }) => [id, accessCount, lastAccessAt])).toEqual(
        rest.map(({ id }) => [id, 1, world.clock.now()]),
      );
      for (const { id } of rest) await world.service.delete(ALICE, id);
      await world.service.touch(ALICE, [gone, ...rest]);
    });

    test("[S0-17][B.0.9-22] deleting removes from every index, once", async () => {
      for (const n of NOTES.keys()) await world.remember(ALICE, n);
      for (const strategy of strategies) await world.ask(ALICE, 0, strategy);
      const first = await world.remember(ALICE, 0);
      expect(await world.service.delete(ALICE, first)).toBe(true);
      expect(await world.service.delete(ALICE, first)).toBe(false);
      for (const strategy of strategies) expect(await world.ask(ALICE, 0, strategy)).not.toContain(first);
      for (const id of (await world.everything(ALICE)).keys()) await world.service.delete(ALICE, id);
      const { indexes } = await world.service.stats();
      expect(indexes.map(({ name, items }) => [name, items])).toEqual(indexes.map(({ name }) => [name, 0]));
    });

    test("[C-11] what is superseded, at once or later, leaves recall and can still be read", async () => {
      const old = await world.remember(ALICE, 0);
      const older = await world.remember(ALICE, 1);
      const fresh = await world.remember(ALICE, 2, { supersedes: [old] });
      await world.service.supersede(ALICE, [older, fresh], fresh);
      const all = await world.everything(ALICE);
      expect([old, older, fresh].map((id) => all.get(id)?.supersededBy)).toEqual([fresh, fresh, null]);
      for (const strategy of strategies) {
        expect(await world.ask(ALICE, 0, strategy)).not.toContain(old);
        expect(await world.ask(ALICE, 1, strategy)).not.toContain(older);
        expect(await world.ask(ALICE, 2, strategy)).toContain(fresh);
      }
    });

    test("[C-11] only what is in recall takes the place of others, and they come back when it is deleted", async () => {
      const [first, second, third] = [
        await world.remember(ALICE, 0),
        await world.remember(ALICE, 1),
        await world.remember(ALICE, 2),
      ];
      await world.service.supersede(ALICE, [first], second);
      const before = await world.state(ALICE);
      await world.refuses("entry_superseded", world.service.supersede(ALICE, [second], first));
      await world.refuses("entry_superseded", world.service.supersede(ALICE, [third], first));
      expect(await world.state(ALICE)).toEqual(before);
      for (const strategy of strategies) expect(await world.ask(ALICE, 1, strategy)).toContain(second);
      expect(await world.service.delete(ALICE, second)).toBe(true);
      for (const strategy of strategies) expect(await world.ask(ALICE, 0, strategy)).toContain(first);
    });

    test("[C-1] a judgement is counted where it says useful, refused where it says nothing valid", async () => {
      const id = await world.remember(ALICE, 0);
      const entry = async () => {
        const found = (await world.everything(ALICE)).get(id);
        if (found === undefined) throw new Error("the note is there");
        return found;
      };
      const judge = async (value: number) => world.service.feedback(ALICE, [await entry()], value);
      const before = await world.state(ALICE);
      await judge(0);
      for (const value of [-1.5, 2, Number.NaN]) await world.refuses("input_invalid", judge(value));
      expect(await world.state(ALICE)).toEqual(before);
      await judge(1);
      await judge(0.5);
      await judge(-1);
      expect(await entry()).toMatchObject({ usefulCount: 2, accessCount: 0 });
    });

    test("[S0-5] it owns one collection, and counts what is in it", async () => {
      await world.remember(ALICE, 0);
      await world.remember(PUBLIC, 1);
      const stats = await world.service.stats();
      expect(stats).toMatchObject({ service: subject.name, collection: world.service.collection });
      expect(Math.max(...stats.indexes.map(({ items }) => items))).toBeGreaterThanOrEqual(2);
      expect(await world.deps.manager.list()).toHaveLength(1);
    });

    test("[C-30] every option must be given, and no other", async () => {
      await world.refuses("option_invalid", world.openWith({ ...subject.options, no_such_option: 1 }));
      for (const left of Object.keys(subject.options)) {
        const { [left]: _, ...rest } = subject.options;
        await world.refuses("option_invalid", world.openWith(rest));
      }
    });

    scopeLaws(() => world, traits, strategies);
    inputLaws(() => world, traits);
    optimizeLaws(() => world, subject, traits);
  });
  describe.each(STORAGES)(`service ${subject.name}${variant} used by several at once on %s`, (on) =>
    concurrencyLaws(subject, traits, on),
  );
}
