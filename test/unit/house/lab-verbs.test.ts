import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** What `npm run lab` loads before it knows the verb. */
const MAIN = 'test/lab/main.ts';
/** The verbs that a fresh clone is asked for before anything is generated in it. */
const OF_A_FRESH_CLONE = ['install', 'start', 'stop', 'status', 'check'];

/**
 * The files that are loaded with one, itself included; types alone load nothing, and what is imported by a call is
 * loaded when it is asked for.
 */
function loadedWith(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const path = join(ROOT, file);
  if (!existsSync(path)) return seen;
  for (const [, target = ''] of readFileSync(path, 'utf8').matchAll(
    /^(?:import|export) (?!type\b)(?:[^'";]*? from )?'(\.[^']+)'/gm,
  )) {
    loadedWith(relative(ROOT, join(dirname(path), target)), seen);
  }
  return seen;
}

const generated = (files: ReadonlySet<string>) => [...files].filter((file) => file.startsWith('src/generated/'));

test('a lab is installed, started and stopped in a clone in which nothing is generated', () => {
  expect(generated(loadedWith(MAIN))).toEqual([]);
  for (const verb of OF_A_FRESH_CLONE) {
    const files = loadedWith(`test/lab/verbs/${verb}.ts`);
    expect(files.size).toBeGreaterThan(1);
    expect(generated(files), verb).toEqual([]);
  }
});

test('what is generated is found where it is loaded', () => {
  expect(generated(loadedWith('src/store/executions.ts'))).not.toEqual([]);
});
