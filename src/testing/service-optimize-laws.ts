/** The part of the service suite that is about what a service does to itself, and what it leaves for others to decide. */
import { expect, test } from "vitest";
import type { JsonObject } from "../base/json.ts";
import { PUBLIC } from "../base/scope.ts";
import type { ServiceTraits, Trigger } from "../services/service.ts";
import { TRIGGER_DEFINITIONS } from "../services/triggers/index.ts";
import { ALICE, BOB, NOTES, type ServiceSubject, type ServiceWorld } from "./service-world.ts";

const DAY_MS = 86_400_000;
/** Far enough apart for every kind of forgetting and migration to find something. */
const DAYS_LATER = 60;

export function optimizeLaws(get: () => ServiceWorld, subject: ServiceSubject, traits: ServiceTraits): void {
  for (const trigger of traits.triggers) {
    const title = `[S0-18][C-27] ${trigger} loses nothing, touches nobody else's, and done again changes nothing`;
    const configs = subject.triggers?.[trigger] ?? [];
    if (TRIGGER_DEFINITIONS[trigger] === undefined)
      test.skip(`${title} (the trigger is not registered yet)`, () => undefined);
    else {
      test(`the subject has a config for ${trigger}`, () => expect(configs).not.toEqual([]));
      for (const [at, config] of configs.entries()) {
        const { trigger_mode = "", strategy = "", migrate_policy = "", link_policy = "" } = config;
        const form = [strategy, trigger_mode, migrate_policy, link_policy].filter((word) => word !== "");
        test(`${title} (${[at + 1, ...form].join(" ")})`, { timeout: 60_000 }, () =>
          sweepTwice(get(), trigger, config),
        );
      }
    }
  }

  test("[S0-19][S0-20][B.0.9 #21] what waits is kept in order, one by one, over a restart, and for its own scope only", async () => {
    const world = get();
    expect(await world.service.getStatus(ALICE)).toEqual({
      pendingAction: null,
      head: null,
      pendingItems: [],
      count: 0,
    });
    if (traits.pending.length === 0) return;
    expect(subject.provoke, `the subject ${subject.name} must say how items become pending`).toBeDefined();
    await subject.provoke?.(world);
    const { head, pendingAction, pendingItems, count } = await world.service.getStatus(ALICE);
    expect(count).toBe(pendingItems.length);
    expect(count).toBeGreaterThanOrEqual(2);
    expect(head).toEqual(pendingItems[0]);
    expect(pendingAction).toBe(head?.action);
    expect(new Set(pendingItems.map(({ id }) => id)).size).toBe(count);
    for (const { action } of pendingItems) expect(traits.pending).toContain(action);
    expect(pendingItems.map(({ since }) => since)).toEqual(
      pendingItems.map(({ since }) => since).sort((a, b) => a - b),
    );

    await world.reopen();
    expect((await world.service.getStatus(ALICE)).pendingItems).toEqual(pendingItems);
    expect((await world.service.getStatus(BOB)).count).toBe(0);
    await world.refuses("job_not_found", world.service.acknowledge(BOB, head?.id ?? ""));
    await world.service.acknowledge(ALICE, head?.id ?? "");
    expect((await world.service.getStatus(ALICE)).pendingItems).toEqual(pendingItems.slice(1));
    await world.refuses("job_not_found", world.service.acknowledge(ALICE, head?.id ?? ""));
  });
}

async function sweepTwice(world: ServiceWorld, trigger: Trigger, config: JsonObject): Promise<void> {
  const ids = [];
  for (const n of NOTES.keys()) {
    ids.push(await world.remember(ALICE, n));
    world.clock.advance(DAY_MS);
  }
  for (const n of [0, 1]) for (const scope of [BOB, PUBLIC]) await world.remember(scope, n);
  world.clock.advance(DAYS_LATER * DAY_MS);
  const others = [await world.everything(BOB), await world.everything(PUBLIC)];
  const before = await world.everything(ALICE);

  const { service } = world;
  const first = await service.optimize(ALICE, { trigger, config });
  expect(first.trigger).toBe(trigger);
  const { added, retired, deleted, moved, edges } = first;
  const changes = added.length + retired.length + deleted.length + moved.length + edges;
  if (changes === 0) expect(first.reason, "where nothing was done, the report says why").toBeTruthy();
  const after = await world.everything(ALICE);
  for (const id of before.keys())
    expect(after.has(id), `${id} is readable unless deleted`).toBe(!deleted.includes(id));
  const kept = ids.filter((id) => after.has(id));
  expect(kept.map((id) => after.get(id)?.content)).toEqual(kept.map((id) => before.get(id)?.content));
  for (const { space } of world.fields.flatMap(({ spaces }) => spaces))
    expect((await world.store.vectors(ALICE, space, kept)).every((vector) => vector !== undefined)).toBe(
      true,
    );
  for (const id of added) expect(after.get(id)?.scope).toBe(ALICE);
  for (const strategy of world.strategies) {
    for (const n of NOTES.keys()) {
      const found = await world.ask(ALICE, n, strategy);
      expect(
        found.filter((id) => retired.includes(id)),
        `retired by ${trigger}`,
      ).toEqual([]);
    }
  }
  expect([await world.everything(BOB), await world.everything(PUBLIC)]).toEqual(others);

  const second = await service.optimize(ALICE, { trigger, config });
  expect(second).toMatchObject({ added: [], retired: [], deleted: [], moved: [], edges: 0 });
  expect(await world.everything(ALICE)).toEqual(after);
  await world.refuses(
    "option_invalid",
    service.optimize(ALICE, { trigger, config: { ...config, no_such_option: 1 } }),
  );
}
