import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * For every folder, the folders it may import from; its own goes without saying. `docs/architecture.md` draws the same.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  'src/domain': [],
  'src/stats': ['src/domain'],
  'src/predict': ['src/stats', 'src/domain'],
  'src/plan': ['src/predict', 'src/stats', 'src/domain'],
  'src/sim': ['src/plan', 'src/predict', 'src/stats', 'src/domain'],
  'src/experiment': ['src/training', 'src/sim', 'src/plan', 'src/predict', 'src/stats', 'src/domain'],
  'src/training': ['src/predict', 'src/domain'],
  'src/spread': ['src/experiment', 'src/sim'],
  'src/generated': [],
  'src/web': [],
  'src/store': ['src/generated', 'src/domain'],
  'src/forecast': ['src/training', 'src/store', 'src/sim', 'src/plan', 'src/predict', 'src/stats', 'src/domain'],
  'src/flow': ['src/store', 'src/forecast', 'src/plan', 'src/predict', 'src/stats', 'src/domain'],
  'src/commands': ['src/store', 'src/forecast', 'src/sim', 'src/plan', 'src/predict', 'src/stats', 'src/domain'],
  'src/graphql': ['src/commands', 'src/store', 'src/forecast', 'src/plan', 'src/domain'],
  'src/cli': ['src/main', 'src/spread', 'src/experiment', 'src/sim', 'src/domain'],
  'src/main': [
    'src/training',
    'src/predict',
    'src/graphql',
    'src/commands',
    'src/flow',
    'src/forecast',
    'src/store',
    'src/sim',
    'src/domain',
    'adapters',
    'adapters/simulator',
  ],
  adapters: ['src/domain'],
  'adapters/simulator': ['adapters', 'src/sim', 'src/domain'],
};

/** Packages that only these folders may import. */
const OWNED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  bullmq: ['src/flow', 'src/spread'],
  ioredis: ['src/spread'],
  'type-graphql': ['src/graphql'],
  '@apollo/server': ['src/graphql'],
  '@prisma/client': ['src/store'],
  '@prisma/adapter-pg': ['src/store'],
  'onnxruntime-node': ['src/training'],
  '@huggingface/tokenizers': ['src/training'],
};

/** Folders that must give the same answer to the same question for ever. */
const PURE = ['src/domain', 'src/stats', 'src/predict', 'src/plan', 'src/sim', 'src/experiment'];
/** What differs from machine to machine by where it stands. */
const LOCAL_TIME = /\.get(?:Hours|Day|Date|Month|FullYear|Minutes|TimezoneOffset)\(|\.toLocale\w+\(\)/;
const IMPURE =
  /\bDate\.now\(|\bMath\.random\(|\bnew Date\(\)|\bprocess\.env\b|from 'node:(net|http|https|dgram|child_process)'/;

interface Source {
  readonly file: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const sources = ['src', 'adapters'].flatMap(sourcesBelow);

function sourcesBelow(folder: string): Source[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('generated'))
    .map((entry) => {
      const file = relative(ROOT, join(entry.parentPath, entry.name));
      const text = readFileSync(join(ROOT, file), 'utf8');
      return { file, folder: folderOf(file), text, imports: importsOf(text) };
    });
}

function folderOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  if (top === 'adapters') return second === 'simulator' ? 'adapters/simulator' : 'adapters';
  return `${top}/${second}`;
}

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

test('every folder imports only from the folders below it', () => {
  const wrong = sources.flatMap(({ file, folder, imports }) =>
    imports
      .filter((path) => path.startsWith('.'))
      .map((path) => folderOf(normalize(join(dirname(file), path))))
      .filter((target) => target !== folder && !MAY_IMPORT[folder]?.includes(target))
      // The registry is the one file of adapters/ that knows its members.
      .filter((target) => !(file === 'adapters/index.ts' && target.startsWith('adapters')))
      .map((target) => `${file} imports from ${target}`),
  );
  expect(wrong).toEqual([]);
});

test('every folder is known to the rule', () => {
  expect(sources.filter(({ folder }) => !(folder in MAY_IMPORT)).map(({ file }) => file)).toEqual([]);
});

test('packages with an owner are imported nowhere else', () => {
  const wrong = sources.flatMap(({ file, folder, imports }) =>
    Object.entries(OWNED_PACKAGES)
      .filter(
        ([name, owners]) =>
          !owners.includes(folder) && imports.some((path) => path === name || path.startsWith(`${name}/`)),
      )
      .map(([name, owners]) => `${file} imports ${name}, which belongs to ${owners.join(' and ')}`),
  );
  expect(wrong).toEqual([]);
});

test('the pure half reads no clock, no chance, no environment and no network', () => {
  const wrong = sources
    .filter(({ folder, text }) => PURE.includes(folder) && (IMPURE.test(text) || LOCAL_TIME.test(text)))
    .map(({ file }) => file);
  expect(wrong).toEqual([]);
});

test('the environment is read in one file', () => {
  const readers = sources.filter(({ text }) => /\bprocess\.env\b/.test(text)).map(({ file }) => file);
  expect(readers).toEqual(['src/main/config.ts']);
});
