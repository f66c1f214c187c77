import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/longest-first.ts';

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

/** No test leaves anything behind, and loading everything anew for every file takes longer than most tests. */
const SHARED = { setupFiles: ['test/setup.ts'], isolate: false };

// Vite would give our files graphql's ES module and Node.js gives the libraries the other one; two copies refuse each other.
const resolve = { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] };

const POSTGRES = 'test/service/global-postgres.ts';
/** One more than the two cores that CI has: a service test waits for its database a third of the time. */
const WORKERS = 3;
/** The long forms are heavy throughout; beside others they would run after them. */
const AT_LENGTH = { maxWorkers: 2, sequence: { groupOrder: 2 } };
const KINDS = [
  {
    ...{ name: 'pure', folders: 'test/{unit,conformance,simulation}', testTimeout: 120_000, maxWorkers: WORKERS },
  },
  {
    ...{ name: 'service', folders: 'test/service', globalSetup: [POSTGRES] },
    ...{ testTimeout: 120_000, hookTimeout: 120_000, maxWorkers: WORKERS },
  },
  {
    ...{ name: 'live', folders: 'test/live', globalSetup: [POSTGRES, 'test/lab/global-lab.ts'] },
    ...{ testTimeout: 180_000, hookTimeout: 120_000 },
    // Real batch systems are mostly waited for, so more of them fit; after the others, whose work is arithmetic.
    ...{ maxWorkers: 4, sequence: { groupOrder: 1 } },
  },
];

/**
 * `npm test` runs the projects of these names, a test of every claim. `npm run test:thorough` runs those whose names
 * end in `-thorough`, `npm run test:nightly` those in `-nightly`: the files named `*.thorough.test.ts` and
 * `*.nightly.test.ts`.
 */
const projects = KINDS.map((kind) => ({ ...kind, ...SHARED })).flatMap(({ name, folders, ...settings }) => [
  { resolve, test: { ...settings, name, include: [`${folders}/**/!(*.thorough|*.nightly).test.ts`] } },
  {
    resolve,
    test: { ...settings, name: `${name}-thorough`, include: [`${folders}/**/*.thorough.test.ts`] },
  },
  {
    resolve,
    test: {
      ...{ ...settings, ...(name !== 'live' && AT_LENGTH), name: `${name}-nightly` },
      include: [`${folders}/**/*.nightly.test.ts`],
    },
  },
]);

export default defineConfig({
  test: {
    reporters: ['default', './test/count-reporter.ts'],
    coverage: {
      provider: 'v8',
      include: ['src/**', 'adapters/**'],
      exclude: ['src/generated/**'],
      reporter: ['text-summary'],
    },
    sequence: { sequencer: LongestFirst },
    projects,
  },
});
