import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Command } from '../../../adapters/shared/command.ts';
import { CommandSite } from '../../../adapters/shared/command-site.ts';
import { JobFolders } from '../../../adapters/shared/job-folders.ts';
import { createLocalRunner } from '../../../adapters/shared/local-runner.ts';
import { SiteGuard } from '../../../adapters/shared/site-guard.ts';
import { Rejected, Unavailable } from '../../../src/domain/failures.ts';
import type { FolderAnswer, FolderRequest } from '../../../src/domain/job-folder.ts';

const AS_NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] as const;
const [setpriv, ...nobody] = AS_NOBODY;
const maySpeakAsNobody = spawnSync(setpriv, [...nobody, 'test', '-x', tmpdir()]).status === 0;
const NAME = '0192f0c4-aaaa-7000-8000-000000000001';
let home: string;
let folders: JobFolders;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gridcast's folders "));
  folders = foldersWith({ stagingSources: [join(home, 'data sets')] });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

type Argv = Command['argv'];

function foldersWith(
  settings: ConstructorParameters<typeof JobFolders>[1],
  wrap: (argv: Argv) => Argv = (argv) => argv,
): JobFolders {
  const options = { timeoutMilliseconds: 20_000, outputLimitCharacters: 1 << 24, environment: { HOME: home } };
  const guard = new SiteGuard('here', {
    ...{ maxConcurrent: 8, maxWaiting: 100, failuresInARow: 50, coolDownMilliseconds: 1, maxWaitMilliseconds: 9000 },
  });
  const runner = createLocalRunner(options);
  const wrapped = { ...runner, run: (command: Command) => runner.run({ ...command, argv: wrap(command.argv) }) };
  return new JobFolders(new CommandSite(wrapped, guard), settings);
}

const inside = (...parts: string[]) => join(home, 'gridcast-work', NAME, ...parts);
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');
type Words<Verb> = Omit<Extract<FolderRequest, { verb: Verb }>, 'verb' | 'name'>;
const make = () => folders.stage({ verb: 'MAKE', name: NAME });
const write = (path: string, offset: number, text: string | Uint8Array): Promise<FolderAnswer> =>
  folders.stage({ verb: 'WRITE', name: NAME, path, offset, bytes: Buffer.from(text) });
const look = (words: Words<'LOOK'>) => folders.stage({ verb: 'LOOK', name: NAME, ...words });
const read = (words: Words<'READ'>) => folders.stage({ verb: 'READ', name: NAME, ...words });
const copy = (words: Words<'COPY'>) => folders.stage({ verb: 'COPY', name: NAME, ...words });

describe('the folder of a job', () => {
  test('is made once, for its account alone, and removed with all that is in it', async () => {
    expect(await make()).toEqual({ said: 'FOLDER', folder: inside() });
    expect(await make()).toEqual({ said: 'FOLDER', folder: inside() });
    expect(statSync(inside()).mode & 0o777).toBe(0o700);
    await write('a/b', 0, 'x');
    mkdirSync(inside('locked'), { mode: 0o000 });
    const remove = { verb: 'REMOVE', name: NAME } as const;
    expect(await folders.stage(remove)).toEqual({ said: 'REMOVED' });
    expect(await folders.stage(remove)).toEqual({ said: 'REMOVED' });
    expect(existsSync(inside())).toBe(false);
    expect(await write('a', 0, 'x')).toEqual({ said: 'ABSENT' });
  });

  test('removing follows no link', async () => {
    await make();
    mkdirSync(join(home, 'others'));
    writeFileSync(join(home, 'others/kept'), 'x');
    symlinkSync(join(home, 'others'), inside('link'));
    await folders.stage({ verb: 'REMOVE', name: NAME });
    expect(readdirSync(join(home, 'others'))).toEqual(['kept']);
    symlinkSync(join(home, 'others'), inside());
    expect(await folders.stage({ verb: 'REMOVE', name: NAME })).toEqual({ said: 'REFUSED' });
    expect(await make()).toEqual({ said: 'REFUSED' });
  });

  test('is where the configuration says', async () => {
    folders = foldersWith({ workFolder: join(home, 'scratch') });
    expect(await make()).toEqual({ said: 'FOLDER', folder: join(home, 'scratch/gridcast-work', NAME) });
    folders = foldersWith({ workFolder: '/x', stagingFolder: join(home, 'staging') });
    expect(await make()).toEqual({ said: 'FOLDER', folder: join(home, 'staging', NAME) });
  });
});

describe('files', () => {
  test('are written piece by piece, whatever the bytes, and read as they are', async () => {
    await make();
    const bytes = randomBytes(3_000_000);
    const path = "data/set 'one'/größe $(x).bin";
    expect(await write(path, 0, bytes.subarray(0, 2_000_000))).toMatchObject({ said: 'FILE', sizeBytes: 2_000_000 });
    expect(await write(path, 2_000_000, bytes.subarray(2_000_000))).toMatchObject({ sizeBytes: 3_000_000 });
    expect(readFileSync(inside(path)).equals(bytes)).toBe(true);
    expect(await look({ path, bytes: 3_000_000 })).toEqual({
      said: 'FILE',
      sizeBytes: 3_000_000,
      sha256: sha256(bytes),
    });
    const first = { said: 'FILE', sizeBytes: 3_000_000, sha256: sha256(bytes.subarray(0, 1000)) };
    expect(await look({ path, bytes: 1000 })).toEqual(first);
    expect(await look({ path, bytes: 0 })).toMatchObject({ sha256: null });
    expect(await look({ path, bytes: 3_000_001 })).toMatchObject({ sha256: null });
    const piece = await read({ path, offset: 1_999_990, limit: 20 });
    expect(piece).toEqual({ said: 'PIECE', sizeBytes: 3_000_000, bytes: bytes.subarray(1_999_990, 2_000_010) });
    expect(await read({ path, offset: 3_000_000, limit: 5 })).toMatchObject({ bytes: Buffer.alloc(0) });
  });

  test('what lies behind an offset goes when it is written there again; what is missing before it is told', async () => {
    await make();
    await write('a', 0, 'one two three');
    expect(await write('a', 4, 'TWO')).toMatchObject({ sizeBytes: 7 });
    expect(readFileSync(inside('a'), 'utf8')).toBe('one TWO');
    expect(await write('a', 8, 'x')).toEqual({ said: 'SHORT' });
    expect(await write('a', 0, '')).toMatchObject({ sizeBytes: 0 });
    expect(await look({ path: 'b', bytes: 0 })).toEqual({ said: 'ABSENT' });
    expect(await write('b', 3, 'x')).toEqual({ said: 'ABSENT' });
    expect(await read({ path: 'c/d', offset: 0, limit: 1 })).toEqual({ said: 'ABSENT' });
  });

  test('no link leads out of a folder, and nothing but plain files is touched', async () => {
    await make();
    mkdirSync(join(home, 'secrets'));
    writeFileSync(join(home, 'secrets/key'), 'secret');
    symlinkSync(join(home, 'secrets'), inside('folder'));
    symlinkSync(join(home, 'secrets/key'), inside('link'));
    symlinkSync('/nowhere', inside('dangling'));
    linkSync(join(home, 'secrets/key'), inside('hard'));
    mkdirSync(inside('plain'));
    for (const path of ['folder/key', 'link', 'dangling', 'hard', 'plain']) {
      expect(await read({ path, offset: 0, limit: 9 }), path).toEqual({ said: 'REFUSED' });
      expect(await write(path, 0, 'overwritten'), path).toEqual({ said: 'REFUSED' });
      expect(await look({ path, bytes: 0 }), path).toEqual({ said: 'REFUSED' });
    }
    expect(readFileSync(join(home, 'secrets/key'), 'utf8')).toBe('secret');
  });

  test.each([
    '../a',
    '/etc/passwd',
    'a/../../b',
    '',
    'a//b',
    '.',
    'a\nb',
  ])('%j is refused before anything is asked', async (path) => {
    await expect(write(path, 0, 'x')).rejects.toThrow(Rejected);
    await expect(folders.stage({ verb: 'MAKE', name: path })).rejects.toThrow(Rejected);
  });

  test.skipIf(!maySpeakAsNobody)('a file that its account may not read is told as that', async () => {
    chmodSync(home, 0o777);
    const sources = join(home, 'data sets');
    folders = foldersWith({ stagingSources: [sources] }, (argv) => [...AS_NOBODY, ...argv]);
    await make();
    mkdirSync(sources);
    for (const file of [inside('out'), join(sources, 'a')]) writeFileSync(file, 'secret', { mode: 0o600 });
    expect(await read({ path: 'out', offset: 0, limit: 9 })).toEqual({ said: 'DENIED' });
    expect(await copy({ path: 'a', from: join(sources, 'a'), offset: 0, limit: 9 })).toEqual({ said: 'DENIED' });
  });

  test('a script that fails says why', async () => {
    writeFileSync(join(home, 'gridcast-work'), 'a file');
    await expect(make()).rejects.toThrow(Unavailable);
  });

  test('a site without room says so, and what was there before stays', async () => {
    await make();
    await write('a', 0, 'x'.repeat(400));
    const limit = 'trap "" XFSZ; ulimit -f 1; exec "$@"';
    folders = foldersWith({}, (argv) => ['sh', '-c', limit, 'sh', ...argv]);
    expect(await write('a', 400, 'y'.repeat(5000))).toEqual({ said: 'FULL' });
    expect(readFileSync(inside('a'), 'utf8')).toBe('x'.repeat(400));
  });
});

describe('files of the site', () => {
  beforeEach(async () => {
    await make();
    mkdirSync(join(home, 'data sets'));
    writeFileSync(join(home, 'data sets/a'), 'what is there');
    writeFileSync(join(home, 'elsewhere'), 'secret');
  });
  const source = (name: string) => join(home, 'data sets', name);

  test('are copied piece by piece', async () => {
    const from = source('a');
    const first = await copy({ path: 'b/a', from, offset: 0, limit: 5 });
    expect(first).toMatchObject({ said: 'FILE', sizeBytes: 5, source: { sizeBytes: 13 } });
    expect(await copy({ path: 'b/a', from, offset: 5, limit: 100 })).toEqual({ ...first, sizeBytes: 13 });
    expect(readFileSync(inside('b/a'), 'utf8')).toBe('what is there');
    const told = await look({ path: 'b/a', from, bytes: 13 });
    expect(told).toMatchObject({ sizeBytes: 13, sha256: sha256('what is there') });
    writeFileSync(from, 'what was there');
    const changed = await copy({ path: 'b/a', from, offset: 13, limit: 5 });
    expect(changed).not.toMatchObject({ source: (first as { source: object }).source });
  });

  test.each([
    ['its name with slashes at the end', () => `${join(home, 'data sets')}//`],
    ['the root', () => '/'],
  ])('out of a folder that is told by %s', async (_, folder) => {
    folders = foldersWith({ stagingSources: [folder()] });
    expect(await copy({ path: 'a', from: source('a'), offset: 0, limit: 9 })).toMatchObject({ sizeBytes: 9 });
  });

  test('only where the configuration allows that', async () => {
    symlinkSync(join(home, 'elsewhere'), source('link'));
    symlinkSync(source('a'), join(home, 'into'));
    for (const from of [source('link'), join(home, 'elsewhere'), join(home, 'into'), home, '/etc/passwd', '/nowhere']) {
      expect(await copy({ path: 'a', from, offset: 0, limit: 9 }), from).toEqual({ said: 'REFUSED' });
    }
    expect(await copy({ path: 'a', from: source('none'), offset: 0, limit: 9 })).toEqual({ said: 'ABSENT' });
    await expect(copy({ path: 'a', from: `${source('..')}/../elsewhere`, offset: 0, limit: 9 })).rejects.toThrow(
      Rejected,
    );
    folders = foldersWith({});
    expect(await copy({ path: 'a', from: source('a'), offset: 0, limit: 9 })).toEqual({ said: 'REFUSED' });
    expect(existsSync(inside('a'))).toBe(false);
  });
});
