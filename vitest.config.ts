import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The others take minutes and gigabytes.
    include: ['test/**/*.test.ts', ...(process.env.EARSHOT_TORTURE === '1' ? ['test/**/*.torture.ts'] : [])],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 3, // more than two cores: many suites wait for speech, for clocks and for processes
    // The files of a worker share what they import: nothing of ours keeps state in a module.
    isolate: false,
    // What is built is loaded as its users load it.
    server: { deps: { external: [/\/dist\//] } },
    // `npm run coverage`: how many branches have a test, of what is hard to see from outside.
    coverage: {
      provider: 'v8',
      include: [
        'daemon/modules/webhooks/delivery/**/*.ts',
        'daemon/modules/moderation/sanctions/drafts.ts',
        'daemon/modules/sessions/bot/**/*.ts',
      ],
      reporter: ['text'],
      thresholds: {
        'daemon/modules/webhooks/delivery/**': { branches: 85 },
        'daemon/modules/moderation/sanctions/drafts.ts': { branches: 85 },
        'daemon/modules/sessions/bot/**': { branches: 85 },
      },
    },
  },
});
