import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CommandSite } from '../../../adapters/shared/command-site.ts';
import { JobOutputs } from '../../../adapters/shared/job-outputs.ts';
import { createLocalRunner } from '../../../adapters/shared/local-runner.ts';
import { wrapJob } from '../../../adapters/shared/self-contained.ts';
import { SiteGuard } from '../../../adapters/shared/site-guard.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import { MAX_OUTPUT_BYTES, type OutputRequest } from '../../../src/domain/job-output.ts';

const KEY = 'gc-0192f0c4-1';
const JOB = { name: 'a', arguments: [], processors: 1, walltimeSeconds: 60, queue: null };
let folder: string;
let outputs: JobOutputs;
let commands: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "gridcast's outputs "));
  commands = 0;
  const options = { timeoutMilliseconds: 20_000, outputLimitCharacters: 1 << 24, environment: { HOME: folder } };
  const runner = createLocalRunner(options);
  const guard = new SiteGuard('here', {
    ...{ maxConcurrent: 8, maxWaiting: 100, failuresInARow: 5, coolDownMilliseconds: 100, maxWaitMilliseconds: 9000 },
  });
  const counting = {
    ...runner,
    run(command: Parameters<typeof runner.run>[0]) {
      commands++;
      return runner.run(command);
    },
  };
  outputs = new JobOutputs(new CommandSite(counting, guard), {});
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const whole: OutputRequest = { key: KEY, stream: 'STDOUT', offset: 0, limit: MAX_OUTPUT_BYTES };
const placeOf = (key: string) => join(folder, 'gridcast', key);
const read = async (request: Partial<OutputRequest> = {}) => {
  const piece = await outputs.read({ ...whole, ...request });
  return piece && Buffer.from(piece.bytes);
};

function lay(key: string, file: string, bytes: Buffer | string): string {
  mkdirSync(placeOf(key), { recursive: true });
  const path = join(placeOf(key), file);
  writeFileSync(path, bytes);
  return path;
}

async function run(script: string, key = KEY, home = folder) {
  const native = wrapJob({ ...outputs.place({ ...JOB, script }, key) });
  return execa('sh', { input: native, env: { HOME: home }, reject: false });
}

describe('a job that runs', () => {
  test('writes both streams to files of its own that nobody else may read', async () => {
    const { stdout, stderr, exitCode } = await run('#!/bin/sh\necho out\necho err >&2\nexit 3\n');
    expect({ stdout, stderr, exitCode }).toEqual({ stdout: '', stderr: '', exitCode: 3 });
    expect(String(await read())).toBe('out\n');
    expect(String(await read({ stream: 'STDERR' }))).toBe('err\n');
    const { stdout: modes } = await execa('stat', ['-c', '%a', placeOf(KEY), join(placeOf(KEY), 'stdout')]);
    expect(modes).toBe('700\n600');
  });

  test('goes on where it stopped writing when it is started once more', async () => {
    await run('#!/bin/sh\necho once\n');
    await run('#!/bin/sh\necho more\n');
    expect(String(await read())).toBe('once\nmore\n');
  });

  test.each(['/proc/no/such', ''])('keeps the streams it was given where it can make no files, in %j', async (home) => {
    const { stdout, exitCode } = await run('#!/bin/sh\necho out\n', KEY, home);
    expect({ stdout, exitCode }).toEqual({ stdout: 'out', exitCode: 0 });
    expect(await read()).toBeNull();
  });

  test.skipIf(!existsSync('/proc/self/fd'))(
    'starts itself in processes that inherit no files, and keeps its arguments',
    async () => {
      const script = '#!/bin/sh\n[ "$1" != "a b" ] || (exec 9<&-; sh "$0" child)\n[ "$1" != child ] || echo child\n';
      const native = wrapJob({ ...outputs.place({ ...JOB, script, arguments: ['a b'] }, KEY) });
      await execa('sh', { input: native, env: { HOME: folder } });
      expect(String(await read())).toBe('child\n');
    },
  );

  test('knows nothing of all that', async () => {
    await run('#!/bin/sh\nset | grep -c gridcast_output\numask\n');
    expect(String(await read())).toBe(`0\n${(await execa('sh', ['-c', 'umask'])).stdout}\n`);
  });
});

describe('what is read', () => {
  test('is exactly what was written, whatever it encodes, from every offset', async () => {
    const bytes = Buffer.concat([randomBytes(300_000), Buffer.from([0, 0xff, 0xfe, 10, 13, 0xc3])]);
    lay(KEY, 'stdout', bytes);
    expect((await read())?.equals(bytes)).toBe(true);
    for (const offset of [0, 1, 99_999, bytes.length - 1, bytes.length, bytes.length + 7]) {
      const piece = await outputs.read({ ...whole, offset, limit: 1000 });
      expect(Buffer.from(piece?.bytes ?? []).equals(bytes.subarray(offset, offset + 1000))).toBe(true);
      expect(piece?.totalBytes).toBe(bytes.length);
    }
  });

  test('of many jobs at once takes few commands, and each gets its own', async () => {
    const keys = Array.from({ length: 100 }, (_, index) => `gc-many-${index}`);
    for (const key of keys) lay(key, 'stdout', `of ${key}`);
    const texts = await Promise.all(keys.map(async (key) => String(await read({ key, limit: 4096 }))));
    expect(texts).toEqual(keys.map((key) => `of ${key}`));
    expect(commands).toBeLessThanOrEqual(5);
  });

  test('is nothing where there is nothing', async () => {
    expect(await read()).toBeNull();
    lay(KEY, 'stdout', '');
    expect(await outputs.read(whole)).toEqual({ bytes: Buffer.alloc(0), totalBytes: 0 });
    expect(await read({ stream: 'STDERR' })).toBeNull();
  });
});

describe("nothing but the job's own file is read", () => {
  const SECRET = 'secret';
  const elsewhere = () => {
    const path = join(folder, 'secret');
    writeFileSync(path, SECRET);
    return path;
  };

  test.each<[string, (path: string) => void]>([
    ['a symbolic link', (path) => symlinkSync(elsewhere(), path)],
    ['a symbolic link that leads nowhere', (path) => symlinkSync('/no/such/file', path)],
    ['a hard link', (path) => linkSync(elsewhere(), path)],
    ['a folder', (path) => mkdirSync(path)],
    ['a device', (path) => symlinkSync('/dev/zero', path)],
  ])('%s in its place', async (_, put) => {
    const path = lay(KEY, 'stdout', 'own');
    rmSync(path);
    put(path);
    await expect(read()).rejects.toBeInstanceOf(Rejected);
  });

  test('a pipe that nobody writes to is not waited for', async () => {
    const path = lay(KEY, 'stdout', 'own');
    rmSync(path);
    await execa('mkfifo', [path]);
    await expect(read()).rejects.toBeInstanceOf(Rejected);
  });

  test('a folder of the key that is a link to another one', async () => {
    lay('gc-other-1', 'stdout', SECRET);
    symlinkSync(placeOf('gc-other-1'), placeOf(KEY));
    await expect(read()).rejects.toBeInstanceOf(Rejected);
  });

  test.skipIf(process.getuid?.() !== 0)("a file of somebody else's", async () => {
    const path = lay(KEY, 'stdout', 'own');
    await execa('chown', ['nobody', path]);
    await expect(read()).rejects.toBeInstanceOf(Rejected);
    await execa('chown', ['nobody', placeOf(KEY)]);
    expect(String(await read())).toBe('own');
  });

  test('files of other jobs in the same question are read all the same', async () => {
    const path = lay(KEY, 'stdout', 'own');
    rmSync(path);
    symlinkSync(elsewhere(), path);
    lay('gc-other-1', 'stdout', 'fine');
    const [, other, wrong, absent] = await Promise.allSettled([
      read({ key: 'gc-first-1' }),
      read({ key: 'gc-other-1' }),
      read(),
      read({ key: 'gc-none-1' }),
    ]);
    expect(other).toMatchObject({ value: Buffer.from('fine') });
    expect(wrong).toMatchObject({ reason: expect.any(Rejected) });
    expect(absent).toMatchObject({ value: null });
  });

  test('a file that is swapped for a link again and again is never followed', { timeout: 60_000 }, async () => {
    const secret = elsewhere();
    const path = lay(KEY, 'stdout', 'own');
    const link = join(folder, 'link');
    const own = join(folder, 'own');
    let isOver = false;
    const swapping = (async () => {
      while (!isOver) {
        symlinkSync(secret, link);
        renameSync(link, path);
        await new Promise(setImmediate);
        writeFileSync(own, 'own');
        renameSync(own, path);
        await new Promise(setImmediate);
      }
    })();
    const texts = new Set<string>();
    for (let turn = 0; turn < 60; turn++) texts.add(String(await read().catch(() => 'refused')));
    isOver = true;
    await swapping;
    expect([...texts].filter((text) => !['own', 'refused', 'null'].includes(text))).toEqual([]);
  });

  test.each(['../x', 'a/b', '.', '..', '', '-n', 'a b', '$(id)', "'", 'x\0'])('the key %j is none', async (key) => {
    await expect(read({ key })).rejects.toBeInstanceOf(Rejected);
    expect(commands).toBe(0);
  });

  test('a folder that may not be entered', async () => {
    lay(KEY, 'stdout', 'own');
    chmodSync(placeOf(KEY), 0);
    const said = await read().catch((error: unknown) => error);
    chmodSync(placeOf(KEY), 0o700);
    expect(said === null || String(said) === 'own').toBe(true);
    expect(readFileSync(join(placeOf(KEY), 'stdout'), 'utf8')).toBe('own');
  });
});
