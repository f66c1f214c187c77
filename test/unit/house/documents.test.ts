import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const WIDTH = 120;

const pages = ['README.md', ...['docs', 'docs/decisions'].flatMap(pagesIn)].map((file) => ({ file, text: read(file) }));

const adapterPages = readdirSync(join(ROOT, 'adapters'))
  .map((folder) => `adapters/${folder}/README.md`)
  .filter((file) => existsSync(join(ROOT, file)))
  .map((file) => ({ file, text: read(file) }));

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

test('comments wrap at 120 characters', () => {
  const sources = ['src', 'adapters', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/^(web\/)?generated/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const wide = sources.flatMap((file) =>
    read(file)
      .split('\n')
      .map((line, index) => ({ line, place: `${file}:${index + 1}` }))
      .filter(({ line }) => line.length > WIDTH && /^\s*(\*|\/\*|\/\/)/.test(line))
      .map(({ place }) => place),
  );
  expect(sources.length).toBeGreaterThan(500);
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

test('links into a page lead to one of its headings', () => {
  const dead = [...pages, ...adapterPages].flatMap(({ file, text }) =>
    [...withoutCode(text).matchAll(/\]\(([^)#\s:]*)#([^)\s]+)\)/g)]
      .map(([, target = '', anchor = '']) => ({ page: target ? join(dirname(file), target) : file, anchor }))
      .filter(({ page, anchor }) => !anchorsOf(read(page)).has(anchor))
      .map(({ page, anchor }) => `${file}: ${page}#${anchor}`),
  );
  expect(adapterPages.length).toBeGreaterThan(2);
  expect(dead).toEqual([]);
});

/** The names by which headings are linked to, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const headings = [...withoutCode(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('the README is a face of at most 1,000 words', () => {
  expect(read('README.md').trim().split(/\s+/).length).toBeLessThanOrEqual(1000);
});

test('every table of figures names a command that exists', () => {
  const claims = read('docs/figures.md')
    .split(/^#{2,3} /m)
    .slice(1);
  const withFigures = claims.filter((claim) => /^(\||```)/m.test(claim));
  const faults = withFigures.flatMap((claim) => {
    const [title] = claim.split('\n');
    const command = /^Command: `([^`]+)`/m.exec(claim)?.[1]?.replaceAll(/\s+/g, ' ');
    const figures = claim.match(/^(\|[-|: ]+\||```text)$/gm) ?? [];
    if (figures.length !== 1) return [`${title}: ${figures.length} tables for one claim`];
    const isDated = /\b2\d{3}-\d{2}-\d{2}\b/.test(claim);
    return command && isDated
      ? missingOf(command).map((name) => `${title}: ${name}`)
      : [`${title}: no command or date`];
  });
  expect(withFigures.length).toBeGreaterThan(20);
  expect(faults).toEqual([]);
});

/** What a command needs and this project has not: a script of npm, a command of gridcast, a test file. */
function missingOf(command: string): string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commandLine = readdirSync(join(ROOT, 'src/cli'), { encoding: 'utf8' })
    .filter((name) => name.endsWith('program.ts'))
    .map((name) => read(`src/cli/${name}`))
    .join('\n');
  const [, script] = /^npm run (\w+)/.exec(command) ?? [];
  const [, verb] = /^npx gridcast ([\w-]+)/.exec(command) ?? [];
  if (script !== undefined) return script in scripts ? [] : [script];
  if (verb !== undefined) return new RegExp(`command\\('${verb}\\b`).test(commandLine) ? [] : [verb];
  const paths = command.split(' ').filter((word) => word.startsWith('test/'));
  if (command.startsWith('npx vitest run ') && paths.length > 0)
    return paths.filter((path) => !existsSync(join(ROOT, path)));
  return [command];
}

test('the index of decisions lists every page, and an amended one says by what at its top', () => {
  const index = [
    ...read('docs/decisions/README.md').matchAll(/^\| \[(\d{3})\]\((\S+)\) \| (.+) \| (\S+) \| (.+) \|$/gm),
  ];
  const listed = index.map(([, number, file, title]) => `${file} # ${number} ${title}`);
  const there = pagesIn('docs/decisions')
    .filter((file) => !file.endsWith('README.md'))
    .map((file) => `${basename(file)} ${read(file).split('\n')[0]}`);
  expect(listed).toEqual(there.sort());
  for (const [, , file = '', , date, status = ''] of index) {
    expect(date, file).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(status, file).toMatch(/^(in force|(amended|superseded) by \[\d{3}\])/);
    const [top = ''] = /(?<=^#.*\n)\*(Amended|Superseded) by [\s\S]*?\*$/m.exec(read(`docs/decisions/${file}`)) ?? [];
    const changedBy = (text: string) => [...text.matchAll(/\]\((\d{3}-\S+\.md)\)/g)].map(([, page]) => page);
    expect(changedBy(top), file).toEqual(changedBy(status));
  }
});
