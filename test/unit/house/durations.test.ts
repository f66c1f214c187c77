import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** Whatever says something to callers. Reports of experiments are tables of seconds. */
const FOLDERS = ['domain', 'predict', 'plan', 'forecast', 'flow', 'commands', 'graphql', 'cli', 'main'];
/** A figure put into a sentence with its unit written behind it, rather than by `formatSeconds`. */
const RAW_SECONDS = /\} (?:s|sec|secs|seconds|min|minutes)\b/;

test('no message tells durations as raw seconds', () => {
  const files = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, 'src', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(ROOT, 'src', folder, name)),
  );
  const wrong = files.flatMap((file) =>
    textsOf(readFileSync(file, 'utf8'))
      .filter((text) => RAW_SECONDS.test(text))
      .map((text) => `${relative(ROOT, file)}: ${text}`),
  );
  expect(files.length).toBeGreaterThan(300);
  expect(wrong).toEqual([]);
});

/** The template literals of a source that say something: lines with a space beside what is put in. */
function textsOf(source: string): string[] {
  return (source.match(/`[^`\n]*`/g) ?? []).filter((text) => /[a-z]{2} /.test(text.replaceAll(/\$\{[^}]*\}/g, '')));
}
