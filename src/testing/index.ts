/** Conformance suites, for our implementations and for anybody else's. They need vitest and fast-check beside them. */
export { type ActionSubject, testAction } from "./action-suite.ts";
export { testCollection } from "./collection-suite.ts";
export type { CollectionSubject } from "./collection-world.ts";
export { type IndexSuite, testIndex } from "./index-suite.ts";
export { type MemoryRuntimeSubject, testMemoryRuntime } from "./memory-runtime-suite.ts";
export { type ModelServer, startModelServer } from "./model-server.ts";
export { testChatModel, testEmbedder } from "./model-suite.ts";
export { chosen, openPipelineWorld, type PipelineSetup, type PipelineWorld } from "./pipeline-world.ts";
export { sampleEntry, sampleId, sampleScope, sampleText, sampleVector } from "./sample.ts";
export { testService } from "./service-suite.ts";
export type { ServiceSubject } from "./service-world.ts";
export { testStorage } from "./storage-suite.ts";
export type { StorageSubject } from "./storage-world.ts";
export { testTask } from "./task-suite.ts";
