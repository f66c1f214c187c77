import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WIDTH = 120;

const pages = ['README.md', ...['docs', 'docs/decisions'].flatMap(pagesIn)].map((file) => ({ file, text: read(file) }));

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function withoutCode(text: string): string {
  return text.replaceAll(/^\s*```[\s\S]*?^\s*```$/gm, (block) => block.replaceAll(/[^\n]/g, ''));
}

test('prose wraps at 120 characters', () => {
  const wide = pages.flatMap(({ file, text }) =>
    withoutCode(text)
      .split('\n')
      .map((line, index) => ({ line, place: `${file}:${index + 1}` }))
      .filter(({ line }) => line.length > WIDTH && !line.startsWith('|'))
      .map(({ place }) => place),
  );
  expect(pages.length).toBeGreaterThan(50);
  expect(wide).toEqual([]);
});

test('links lead to files that exist', () => {
  const dead = pages.flatMap(({ file, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^\w+:/.test(target) && !existsSync(join(ROOT, dirname(file), target)))
      .map((target) => `${file}: ${target}`),
  );
  expect(dead).toEqual([]);
});
