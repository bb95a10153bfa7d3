/** Which shapes of memory are there? One line each; a new service is one file and one line here. */
import { MemoryError } from "../base/errors.ts";
import { validNames } from "../base/nearest-name.ts";
import { parseInput } from "../base/parse-input.ts";
import { graphMemory } from "./graph-memory.ts";
import { hierarchicalMemory } from "./hierarchical-memory.ts";
import { hybridMemory } from "./hybrid-memory.ts";
import { keyValueMemory } from "./key-value-memory.ts";
import { neuromemVdb } from "./neuromem-vdb.ts";
import type { MemoryService, ServiceDefinition, ServiceDeps } from "./service.ts";
import { shortTermMemory } from "./short-term-memory.ts";
import { vectorHashMemory } from "./vector-hash-memory.ts";

export * from "./features/index.ts";
export type { Hints, Strategy } from "./hints.ts";
export {
  defineService,
  type InsertMode,
  type InsertParams,
  type MemoryService,
  type OptimizeReport,
  type OptimizeRequest,
  type PendingAction,
  type PendingItem,
  type ServiceDefinition,
  type ServiceDeps,
  type ServiceInsert,
  type ServiceQuery,
  type ServiceStats,
  type ServiceStatus,
  type ServiceTraits,
  type Trigger,
} from "./service.ts";
export { textField, type VectorField } from "./vector-fields.ts";

const BUILT_IN = {
  short_term_memory: shortTermMemory,
  key_value_memory: keyValueMemory,
  vector_hash_memory: vectorHashMemory,
  graph_memory: graphMemory,
  hierarchical_memory: hierarchicalMemory,
  hybrid_memory: hybridMemory,
  neuromem_vdb: neuromemVdb,
} as const satisfies Readonly<Record<string, ServiceDefinition>>;

export const SERVICES: Readonly<Record<string, ServiceDefinition>> = BUILT_IN;

/** What each name opens: with the methods that only it has (S0-22). */
export type Services = {
  readonly [Name in keyof typeof BUILT_IN]: Awaited<ReturnType<(typeof BUILT_IN)[Name]["open"]>>;
};

export function serviceNamed(name: string): ServiceDefinition {
  const definition = Object.hasOwn(SERVICES, name) ? SERVICES[name] : undefined;
  if (definition !== undefined) return definition;
  throw new MemoryError(
    "service_not_found",
    `There is no service "${name}". ${validNames(name, Object.keys(SERVICES))}`,
  );
}

/** Checks what a preset wrote, and opens. */
export function openService<Name extends keyof Services>(
  name: Name,
  options: unknown,
  deps: ServiceDeps,
): Promise<Services[Name]>;
export function openService(name: string, options: unknown, deps: ServiceDeps): Promise<MemoryService>;
export function openService(name: string, options: unknown, deps: ServiceDeps): Promise<MemoryService> {
  const definition = serviceNamed(name);
  const given = parseInput(definition.options, options, `options of the service ${name}`, "option_invalid");
  return definition.open(given, deps);
}
