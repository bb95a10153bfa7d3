import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"],
    setupFiles: ["test/forbid-network.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
