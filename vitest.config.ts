import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    setupFiles: ["test/forbid-network.ts"],
    // All cores: the default leaves one idle, which of two is half the machine.
    maxWorkers: availableParallelism(),
    // A process takes file after file and keeps what it has loaded; so that no test leaves anything behind:
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
