import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MOST_LINES = 300;
const MOST_LINES_OF_A_FUNCTION = 40;
const MOST_IMPORTS = 15;

/** Files that import more of the project's others, each with its reason. */
const MANY_IMPORTS: Readonly<Record<string, string>> = {
  'src/cli/bench/registry.ts': 'the list of benches, one import for each',
  'src/experiment/registry.ts': 'the list of experiments, one import for each',
  'src/graphql/schema.ts': 'the list of resolvers, one import for each',
};

interface Source {
  readonly file: string;
  readonly text: string;
}

const sources: readonly Source[] = ['src', 'adapters'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('generated'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(ROOT, path), text: readFileSync(path, 'utf8') })),
);

function linesOf(text: string): number {
  return text.split('\n').length - 1;
}

/** The project's other files that a source names, types and what is loaded later among them, each once. */
function importsOf(text: string): string[] {
  const named = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(([, path = '']) => path);
  return [...new Set(named)];
}

/** Those above the most that is allowed, each with its count. */
function above(most: number, count: (source: Source) => number): Record<string, number> {
  const counts = sources.map((source) => [source.file, count(source)] as const);
  return Object.fromEntries(counts.filter(([, value]) => value > most));
}

test('every source is counted', () => {
  expect(sources.length).toBeGreaterThan(500);
  expect(importsOf(`import { a } from './a.ts';\nimport type { b } from '../b.ts';\nimport x from 'x';`)).toEqual([
    './a.ts',
    '../b.ts',
  ]);
  expect(importsOf(`import './a.ts';\nexport { b } from '../b.ts';\nawait import('./a.ts');`)).toHaveLength(2);
});

test(`no file has more than ${MOST_LINES} lines`, () => {
  expect(above(MOST_LINES, ({ text }) => linesOf(text))).toEqual({});
});

test(`no file imports more than ${MOST_IMPORTS} others, but for stated exceptions`, () => {
  const many = above(MOST_IMPORTS, ({ text }) => importsOf(text).length);
  expect(Object.keys(many).sort()).toEqual(Object.keys(MANY_IMPORTS).sort());
});

test('a type has a name of its own', () => {
  // The API and the command line call things as callers do; adapters each have their own of everything.
  const ours = sources.filter(({ file }) => !/^(src\/(graphql|cli|web)|adapters)\//.test(file));
  const named = ours.flatMap(({ file, text }) =>
    [...text.matchAll(/^export (?:interface|type|(?:abstract )?class) (\w+)/gm)].map(([, name = '']) => ({
      name,
      file,
    })),
  );
  const twice = named.filter(({ name, file }) => named.some((other) => other.name === name && other.file !== file));
  expect(named.length).toBeGreaterThan(500);
  expect(twice.map(({ name, file }) => `${name} ${file}`)).toEqual([]);
});

test(`no function has more than ${MOST_LINES_OF_A_FUNCTION} lines`, () => {
  const { overrides } = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
  const rules = overrides.map(({ linter }: { linter: { rules?: unknown } }) => linter.rules).filter(Boolean);
  const { level, options } = rules[0].complexity.noExcessiveLinesPerFunction;
  expect({ level, ...options }).toEqual({ level: 'error', maxLines: MOST_LINES_OF_A_FUNCTION });
  expect(sources.filter(({ text }) => text.includes('biome-ignore lint/complexity')).map(({ file }) => file)).toEqual(
    [],
  );
  const { status, stdout } = spawnSync(
    join(ROOT, 'node_modules/.bin/biome'),
    ['lint', '--only=complexity/noExcessiveLinesPerFunction', 'src', 'adapters'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect(status, stdout).toBe(0);
});
