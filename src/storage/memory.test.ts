import { testStorage } from "../testing/storage-suite.ts";
import { openInMemory } from "./memory.ts";

testStorage({ name: "in memory", create: (clock) => openInMemory({ clock }) });
