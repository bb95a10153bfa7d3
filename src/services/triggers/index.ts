/** What can a service be told to do? One line each; a new trigger is one file and one line here. */
import { invariant } from "../../base/errors.ts";
import type { Trigger } from "../service.ts";
import { forgetting } from "./forgetting.ts";
import { linkEvolution } from "./link-evolution.ts";
import { migrate } from "./migrate.ts";
import { reflection } from "./reflection.ts";
import { summarize } from "./summarize.ts";
import type { TriggerDefinition } from "./trigger.ts";

export const TRIGGER_DEFINITIONS: Readonly<Partial<Record<Trigger, TriggerDefinition>>> = {
  reflection,
  link_evolution: linkEvolution,
  forgetting,
  summarize,
  migrate,
};

export function triggerNamed(name: Trigger): TriggerDefinition {
  const definition = TRIGGER_DEFINITIONS[name];
  invariant(definition !== undefined, `The trigger ${name} is not registered`);
  return definition;
}
