import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import { Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { SiteAdapter } from '../../src/domain/site-adapter.ts';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { hostileStrings } from './hostile-strings.ts';
import { SLURM_LAB, SLURM_WAYS, slurmConfig, writeClient } from './slurm-ways.ts';

/** A job takes so many of them at once as its arguments. */
const TEXTS_PER_JOB = 25;
const SECRET = 'c4n4ry-s3cr3t';
const missing = labMissing(SLURM_LAB);

/** So many hostile texts in every field. */
export function describeTexts(count: number): void {
  describe.skipIf(missing !== null)(`texts of callers, on their way to Slurm ${missing ?? ''}`, () => {
    let lab: Lab;
    const folder = openFolder();
    const canary = join(folder.path, 'canary');
    const texts = hostileStrings(count, canary);
    beforeAll(async () => {
      lab = await startLab(SLURM_LAB);
    });
    afterAll(async () => {
      await lab?.stop();
      folder.remove();
    });

    describe.each(SLURM_WAYS)('by %s', (way) => {
      let adapter: SiteAdapter;
      beforeAll(() => {
        adapter = createSlurmAdapter(slurmConfig(lab, way, folder.path));
      });
      afterAll(() => adapter?.close());

      test('arguments, variables and script arrive byte for byte', { timeout: 300_000 }, async () => {
        const parts = chunks(texts, TEXTS_PER_JOB);
        const arrivals = parts.map((_, index) => join(folder.path, `arrival-${way}-${index}`));
        await Promise.all(
          parts.map(async (words, index) => {
            const script = tellingScript(arrivals[index] ?? '', words);
            const job = { ...spec, name: words[0] ?? '', script, arguments: words, environment: variablesOf(words) };
            await adapter.submit(job, keyOf(way, 'a', index));
          }),
        );
        await realTime.until(
          'all jobs have told',
          async () => arrivals.every((file) => existsSync(`${file}.done`)),
          240,
        );
        for (const [index, words] of parts.entries()) {
          expect(readFileSync(`${arrivals[index]}.arguments`, 'utf8')).toBe(words.map((word) => `${word}\0`).join(''));
          expect(variablesIn(`${arrivals[index]}.variables`)).toEqual(variablesOf(words));
          expect(readFileSync(`${arrivals[index]}.script`, 'utf8')).toBe(tellingScript(arrivals[index] ?? '', words));
        }
        expect(existsSync(canary)).toBe(false);
      });

      test('names stand in the comment as they are, beside the key', { timeout: 300_000 }, async () => {
        await inTurns(texts, (name, index) => adapter.submit({ ...held, name }, keyOf(way, 'n', index)));
        const mark = '@mark@';
        const listing = lab
          .cluster('alpha')
          .mustRun(['squeue', '--all', '--noheader', '--states=all', `--Format=Comment:${mark}`]);
        const comments = new Set(listing.split(mark).map((comment) => comment.replace(/^\n/, '')));
        const lost = texts.filter((name, index) => !comments.has(`gridcast.${keyOf(way, 'n', index)} ${name}`));
        expect(lost).toEqual([]);
        expect(existsSync(canary)).toBe(false);
        lab.cluster('alpha').mustRun(['scancel', '--user=alice', '--state=PENDING']);
      });

      test('queues of such names are refused, and nothing else happens', { timeout: 300_000 }, async () => {
        const failures = await inTurns(texts, (queue, index) =>
          adapter.submit({ ...spec, queue }, keyOf(way, 'q', index)).catch((error: unknown) => error),
        );
        expect(failures.filter((failure) => !(failure instanceof Rejected))).toEqual([]);
        expect(existsSync(canary)).toBe(false);
      });

      test.each([
        ['name', { name: 'a\0b' }],
        ['queue', { queue: 'a\0b' }],
        ['script', { script: '#!/bin/sh\n\0' }],
        ['arguments.0', { arguments: ['\0'] }],
      ])('NUL in %s is refused by the name of the field before anything is sent', async (field, change) => {
        const failure = await adapter
          .submit({ ...spec, ...change }, keyOf(way, field, 0))
          .catch((error: unknown) => error);
        expect(failure).toBeInstanceOf(Rejected);
        expect((failure as Rejected).message).toContain(field);
        expect(await adapter.find(keyOf(way, field, 0), Date.now() / 1000)).toBeNull();
      });
    });

    test('secrets are in no error, no job name and no comment', { timeout: 120_000 }, async () => {
      const script = `#!/bin/sh\n: ${SECRET}\n`;
      const failures: unknown[] = [];
      for (const way of SLURM_WAYS) {
        for (const broken of brokenConfigs(lab, way, folder.path)) {
          const adapter = createSlurmAdapter(broken);
          for (const ask of [
            () => adapter.submit({ ...spec, script, arguments: [SECRET] }, keyOf(way, 'secret', failures.length)),
            () => adapter.submit({ ...spec, script, arguments: [SECRET], queue: 'nosuch' }, keyOf(way, 'refused', 0)),
            () => adapter.snapshot(),
            () => adapter.history(Date.now() / 1000 - 60),
          ]) {
            failures.push(await ask().catch((error: unknown) => error));
          }
          await adapter.close();
        }
      }
      expect(failures.filter((failure) => failure instanceof Error).length).toBeGreaterThan(10);
      const privateKey = readFileSync(lab.login?.identityFile ?? '', 'utf8').split('\n')[2] ?? '';
      const token = readFileSync(join(lab.folder, 'token'), 'utf8').trim();
      const said = failures.map((failure) => inspect(failure, { depth: 20, showHidden: true })).join('\n');
      const listed = lab.cluster('alpha').mustRun(['squeue', '--all', '--states=all', '--format=%j %k']);
      for (const secret of [SECRET, privateKey, token]) {
        expect(secret.length).toBeGreaterThan(10);
        expect(said).not.toContain(secret);
        expect(listed).not.toContain(secret);
      }
    });
  });
}

const spec: JobSpec = {
  name: 'n',
  script: '#!/bin/sh\nexit 0\n',
  arguments: [],
  processors: 1,
  walltimeSeconds: 300,
  queue: null,
};
/** More processors than are free while others run, so that most of them wait; whether they run does not matter. */
const held: JobSpec = { ...spec, processors: 16 };

function keyOf(way: string, field: string, index: number): string {
  return `gc-${way}-${field}-${index}`;
}

/** Each of some texts in a variable of its own. */
function variablesOf(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(words.map((word, index) => [`HOSTILE_${index}`, word]));
}

/** The same in what `env -0` has written. */
function variablesIn(file: string): Record<string, string> {
  const pairs = readFileSync(file, 'utf8')
    .split('\0')
    .filter((pair) => pair.startsWith('HOSTILE_'));
  return Object.fromEntries(pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
}

/** A script that writes down its arguments, variables and itself, with texts in its comments and a here-document. */
function tellingScript(file: string, words: readonly string[]): string {
  const comments = words.map((word) => `#${word.replaceAll('\n', '\n#')}`).join('\n');
  return [
    '#!/bin/sh',
    '#SBATCH --ntasks=9999',
    comments,
    `cat "$0" > '${file}.script'`,
    `printf '%s\\0' "$@" > '${file}.arguments'`,
    `env -0 > '${file}.variables'`,
    `touch '${file}.done'`,
    "cat > /dev/null <<'NOWHERE'",
    ...words,
    'NOWHERE',
    '',
  ].join('\n');
}

/** Ways to a site that do not work, each with a secret that its messages might show. */
function brokenConfigs(lab: Lab, way: (typeof SLURM_WAYS)[number], folder: string) {
  const config = slurmConfig(lab, way, folder);
  const { transport } = config;
  if (transport.kind === 'rest') {
    const tokenFile = join(folder, 'wrong-token');
    writeFileSync(tokenFile, `eyJ.${SECRET}.${SECRET}`);
    return [
      config,
      { ...config, transport: { ...transport, tokenFile } },
      { ...config, transport: { ...transport, url: 'http://127.0.0.1:9' } },
    ];
  }
  const clients = join(folder, `failing-${way}`);
  mkdirSync(clients, { recursive: true });
  writeClient(clients, 'sbatch', '#!/bin/sh\ncat > /dev/null\nexit 1\n');
  const failing = slurmConfig(lab, way, folder, { clients });
  const slow = { ...config, timeoutMilliseconds: 1 };
  if (transport.kind === 'local') return [config, failing, slow];
  const identityFile = lab.login?.otherIdentityFile ?? '';
  return [config, failing, { ...config, transport: { ...transport, identityFile } }];
}

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size));
}

/** Does something with each, some at a time, and gives the answers in order. */
async function inTurns<Item, Answer>(
  items: readonly Item[],
  act: (item: Item, index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const left = items.entries();
  const work = async () => {
    for (const [index, item] of left) answers[index] = await act(item, index);
  };
  await Promise.all(Array.from({ length: 8 }, work));
  return answers;
}
