/** The part of the service suite that is about what a service does to itself, and what it leaves for others to decide. */
import { describe, expect, test } from "vitest";
import { ARCHIVED, type Entry } from "../base/entry.ts";
import type { EntryId } from "../base/ids.ts";
import { PUBLIC } from "../base/scope.ts";
import type { OptimizeReport, ServiceTraits, Trigger } from "../services/service.ts";
import { TRIGGER_DEFINITIONS } from "../services/triggers/index.ts";
import {
  ALICE,
  BOB,
  NOTES,
  type ServiceState,
  type ServiceSubject,
  type ServiceWorld,
  type TriggerCase,
} from "./service-world.ts";

const DAY_MS = 86_400_000;
/** Far enough apart for every kind of forgetting and migration to find something. */
const DAYS_LATER = 60;

export function optimizeLaws(get: () => ServiceWorld, subject: ServiceSubject, traits: ServiceTraits): void {
  describe.each(traits.triggers)("the trigger %s", (trigger) => {
    const cases = subject.triggers?.[trigger] ?? [];

    test("is registered, and the subject has a case for it", () => {
      expect(TRIGGER_DEFINITIONS).toHaveProperty(trigger);
      expect(cases).not.toEqual([]);
    });

    test.each(cases.map((one, at) => [titleOf(one, at), one] as const))(
      "[S0-18][C-27] does something, loses nothing, touches nobody else's, and done again changes nothing (%s)",
      { timeout: 60_000 },
      (_title, one) => sweepTwice(get(), trigger, one),
    );

    test("[C-31] told about another's entry it does what it does about one that is not there", async () => {
      const world = get();
      await world.remember(ALICE, 0);
      const hers = await world.remember(BOB, 1);
      const others = [await world.state(BOB), await world.state(PUBLIC)];
      const { config = {} } = cases[0] ?? {};
      const codes = [];
      for (const id of [hers, world.store.newId()]) {
        const request = { trigger, config, entries: [id] };
        codes.push(await world.service.optimize(ALICE, request).then(() => "done", codeOf));
      }
      expect(codes[0]).toBe(codes[1]);
      expect(codes[0]).toMatch(/^(done|entry_not_found)$/);
      expect([await world.state(BOB), await world.state(PUBLIC)]).toEqual(others);
    });
  });

  test("[S0-19][S0-20][B.0.9-21] what waits is kept in order, one by one, over a restart, and for its own scope only", async () => {
    const world = get();
    expect(await world.service.getStatus(ALICE)).toEqual({
      pendingAction: null,
      head: null,
      pendingItems: [],
      count: 0,
    });
    if (traits.pending.length === 0) return;
    await provoke(subject, world);
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

  if (traits.pending.length === 0) return;

  test("[S0-19] nothing waits about an entry that was deleted, and what else waits can be dealt with", async () => {
    const world = get();
    await provoke(subject, world);
    const { head, pendingItems } = await world.service.getStatus(ALICE);
    const gone = head?.entry;
    if (gone === undefined) throw new Error("something waits");
    expect(await world.service.delete(ALICE, gone)).toBe(true);
    const left = pendingItems.filter(({ entry }) => entry !== gone).map(({ id }) => id);
    for (let time = 0; time < 2; time++) {
      const status = await world.service.getStatus(ALICE);
      expect(status.pendingItems.map(({ id }) => id)).toEqual(left);
      expect([status.count, status.head?.id]).toEqual([left.length, left[0]]);
      await world.reopen();
    }
    for (const trigger of traits.triggers)
      for (const { config } of subject.triggers?.[trigger] ?? [])
        expect(await world.service.optimize(ALICE, { trigger, config })).toMatchObject({ trigger });
    for (const { id } of (await world.service.getStatus(ALICE)).pendingItems)
      await world.service.acknowledge(ALICE, id);
    expect((await world.service.getStatus(ALICE)).count).toBe(0);
  });
}

async function provoke(subject: ServiceSubject, world: ServiceWorld): Promise<void> {
  expect(subject.provoke, `the subject ${subject.name} must say how items become pending`).toBeDefined();
  await subject.provoke?.(world);
}

async function sweepTwice(
  world: ServiceWorld,
  trigger: Trigger,
  { config, deletes = false, setUp }: TriggerCase,
): Promise<void> {
  const notes: EntryId[] = [];
  for (const n of NOTES.keys()) {
    notes.push(await world.remember(ALICE, n));
    world.clock.advance(DAY_MS);
  }
  for (const n of [0, 1]) for (const scope of [BOB, PUBLIC]) await world.remember(scope, n);
  world.clock.advance(DAYS_LATER * DAY_MS);
  await setUp?.(world, notes);
  const others = [await world.state(BOB), await world.state(PUBLIC)];
  const before = await world.state(ALICE);

  const { service } = world;
  const first = await service.optimize(ALICE, { trigger, config });
  const after = await world.state(ALICE);
  expect(after, `${trigger} has something to do: ${first.reason}`).not.toEqual(before);
  checkReport(first, before, after);
  expect(first.trigger).toBe(trigger);
  expect(first.deleted.length > 0, "only what is asked to delete deletes").toBe(deletes);
  expect([await world.state(BOB), await world.state(PUBLIC)]).toEqual(others);

  const kept = notes.filter((id) => after.entries.has(id));
  expect(kept.map((id) => after.entries.get(id)?.content)).toEqual(
    kept.map((id) => before.entries.get(id)?.content),
  );
  for (const { space } of world.fields.flatMap(({ spaces }) => spaces)) {
    const vectors = await world.store.vectors(ALICE, space, kept);
    expect(vectors.every((vector) => vector !== undefined)).toBe(true);
  }
  for (const id of first.added) expect(after.entries.get(id)?.scope).toBe(ALICE);
  const gone = [...first.retired, ...first.deleted];
  for (const strategy of gone.length === 0 ? [] : world.strategies) {
    for (const n of NOTES.keys()) {
      const back = (await world.ask(ALICE, n, strategy)).filter((id) => gone.includes(id));
      expect(back, `gone by ${trigger}, found by ${strategy}`).toEqual([]);
    }
  }

  world.takeWrites();
  const second = await service.optimize(ALICE, { trigger, config });
  expect(world.takeWrites(), "a second run writes nothing").toBe(0);
  expect(second).toMatchObject({ added: [], retired: [], deleted: [], moved: [], edges: 0 });
  expect(second.reason, "where nothing was done, the report says why").toBeTruthy();
  expect(await world.state(ALICE)).toEqual(after);
  await world.refuses(
    "option_invalid",
    service.optimize(ALICE, { trigger, config: { ...config, no_such_option: 1 } }),
  );
}

/** The report tells what was done: all of it, and nothing else. */
function checkReport(
  { trigger, added, retired, deleted, moved, edges }: OptimizeReport,
  before: ServiceState,
  after: ServiceState,
): void {
  const known = [...before.entries.keys()];
  const fresh = [...after.entries.keys()].filter((id) => !before.entries.has(id));
  expect(added.toSorted(), "added").toEqual(fresh.toSorted());
  expect(deleted.toSorted(), "deleted").toEqual(known.filter((id) => !after.entries.has(id)).toSorted());
  const left = known.filter(
    (id) => after.entries.has(id) && isRecalled(before.entries.get(id)) && !isRecalled(after.entries.get(id)),
  );
  expect(retired.toSorted(), "retired").toEqual(left.toSorted());
  for (const { id, from, to } of moved) {
    expect(known).toContain(id);
    expect(to).not.toBe(from);
  }
  if (trigger === "migrate") expect(moved).not.toEqual([]);
  if (trigger !== "link_evolution") expect(edges).toBe(0);
  else expect(edges > 0, "edges").toBe(JSON.stringify(before.edges) !== JSON.stringify(after.edges));
}

function isRecalled(entry: Entry | undefined): boolean {
  return entry !== undefined && entry.supersededBy === null && entry.tier !== ARCHIVED;
}

/** What tells the configs of a trigger apart. */
function titleOf({ config }: TriggerCase, at: number): string {
  const { trigger_mode = "", strategy = "", migrate_policy = "", link_policy = "" } = config;
  const words = [strategy, trigger_mode, migrate_policy, link_policy].filter((word) => word !== "");
  return [at + 1, ...words].join(" ");
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : error;
}
