import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXPORTED = /^export (?:async )?(?:function\*?|class|const|interface|type) (\w+)/gm;

/** What nothing here names, each with its reason. */
const FOR_OTHERS: Readonly<Record<string, string>> = {
  createTemplateAdapter: 'a new adapter begins as its copy',
};

const sources = ['src', 'adapters', 'bin'].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.m?tsx?$|\.mjs$/.test(entry.name) && !entry.parentPath.includes('generated'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ file: relative(ROOT, path), text: withoutComments(readFileSync(path, 'utf8')) })),
);

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

function countWords(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of sources) {
    for (const [word] of text.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

test('what is exported is named somewhere outside the tests', () => {
  const counts = countWords();
  const exported = sources.flatMap(({ file, text }) =>
    [...text.matchAll(EXPORTED)].map(([, name = '']) => ({ file, name })),
  );
  const unreached = exported.filter(({ name }) => counts.get(name) === 1 && !(name in FOR_OTHERS));
  expect(exported.length).toBeGreaterThan(1500);
  expect(unreached.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
