import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const BUILT = join(import.meta.dirname, '../../../dist/web');
const MOST_BYTES = 250_000;

interface Part {
  readonly file: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

/** Every file that the console may load, from its page on. */
function filesOf(manifest: Readonly<Record<string, Part>>, page: string): string[] {
  const seen = new Set<string>();
  const visit = (key: string) => {
    if (seen.has(key)) return;
    seen.add(key);
    const { imports = [], dynamicImports = [] } = manifest[key] as Part;
    for (const next of [...imports, ...dynamicImports]) visit(next);
  };
  visit(page);
  const files = [...seen].flatMap((key) => {
    const { file, css = [], assets = [] } = manifest[key] as Part;
    return [file, ...css, ...assets];
  });
  return [...new Set(files)];
}

test('the whole console is less than 250 kB on the wire, and nothing of GraphiQL is in it', () => {
  const manifest = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8'));
  const files = filesOf(manifest, 'index.html');
  const sizes = files.map((file) => gzipSync(readFileSync(join(BUILT, file))).length);
  expect(files.some((file) => file.endsWith('.js'))).toBe(true);
  expect(files.some((file) => file.endsWith('.css'))).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
  expect(files.filter((file) => /monaco|graphiql/.test(file))).toEqual([]);
  const graphiql = JSON.parse(readFileSync(join(BUILT, 'manifest-graphiql.json'), 'utf8'));
  expect(filesOf(graphiql, 'graphiql.html').some((file) => file.includes('graphiql'))).toBe(true);
});

test('it is built to be used, whatever the environment of the build was: nothing of React for developers is in it', () => {
  const manifest = JSON.parse(readFileSync(join(BUILT, 'manifest.json'), 'utf8'));
  const scripts = filesOf(manifest, 'index.html').filter((file) => file.endsWith('.js'));
  expect(scripts.filter((file) => readFileSync(join(BUILT, file), 'utf8').includes('jsxDEV'))).toEqual([]);
});
