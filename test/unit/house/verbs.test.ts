import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SRC = fileURLToPath(new URL('../../../src', import.meta.url));

/** The files at the top of a folder that export no function of the name that theirs makes. */
function unnamed(folder: string, ending: string): string[] {
  return sourcesOf(folder).filter((file) => {
    const verb = file.replace('.ts', '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
    const text = readFileSync(join(SRC, folder, file), 'utf8');
    return !new RegExp(`^export (async )?function ${verb}${ending}\\(`, 'm').test(text);
  });
}

function sourcesOf(folder: string): string[] {
  return readdirSync(join(SRC, folder)).filter((file) => file.endsWith('.ts'));
}

test('a command is in a file of its name; helpers are in folders', () => {
  expect(sourcesOf('commands').length).toBeGreaterThan(10);
  expect(unnamed('commands', '')).toEqual([]);
});

test('a step is in a file of its name; helpers are in folders', () => {
  expect(sourcesOf('flow/steps').length).toBeGreaterThan(10);
  expect(unnamed('flow/steps', 'Step')).toEqual([]);
});

test('an experiment is a folder of its name', () => {
  const registry = readFileSync(join(SRC, 'experiment/registry.ts'), 'utf8');
  const folders = [...registry.matchAll(/from '\.\/([\w-]+)\/([\w-]+)\.ts'/g)];
  expect(folders.length).toBeGreaterThan(5);
  for (const [, folder = '', file] of folders) {
    expect(file).toBe(folder);
    expect(readFileSync(join(SRC, 'experiment', folder, `${file}.ts`), 'utf8')).toContain(`name: '${folder}'`);
  }
});
