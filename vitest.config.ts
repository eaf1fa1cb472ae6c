import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 3, // more than two cores: many suites wait for speech, for clocks and for processes
    // The files of a worker share what they import: nothing of ours keeps state in a module.
    isolate: false,
    // What is built is loaded as its users load it.
    server: { deps: { external: [/\/dist\//] } },
  },
});
