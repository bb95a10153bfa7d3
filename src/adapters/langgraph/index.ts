/** `neuromem/langgraph`: a store of LangGraph. Needs the package @langchain/langgraph-checkpoint beside it. */
export type { StoreMemory } from "./item-shelf.ts";
export { NeuroMemStore, type NeuroMemStoreOptions } from "./neuromem-store.ts";
