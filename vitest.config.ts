import { defineConfig } from 'vitest/config';

// Vitest's reporters call Map.groupBy, which Node.js has from 21 on; without it a failing test hides behind a crash on 20.
function groupBy<Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
if (!('groupBy' in Map)) Object.assign(Map, { groupBy });

const setupFiles = ['test/setup.ts'];

// Vite would give our files graphql's ES module and Node.js gives the libraries the other one; two copies refuse each other.
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] };

export default defineConfig({
  test: {
    reporters: ['default', './test/count-reporter.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**', 'adapters/**'],
      exclude: ['src/generated/**'],
      reporter: ['text-summary'],
    },
    projects: [
      {
        resolve,
        test: {
          name: 'pure',
          include: ['test/{unit,conformance,simulation}/**/*.test.ts'],
          setupFiles,
          testTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: 'service',
          include: ['test/service/**/*.test.ts'],
          globalSetup: ['test/service/global-postgres.ts'],
          setupFiles,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 2,
        },
      },
      {
        resolve,
        test: {
          name: 'live',
          include: ['test/live/**/*.test.ts'],
          globalSetup: ['test/service/global-postgres.ts', 'test/lab/global-lab.ts'],
          setupFiles,
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // Real batch systems are mostly waited for, so more of them fit; after the others, whose work is arithmetic.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
