import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { createClient } from 'graphql-ws';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { Unavailable } from '../../../src/domain/failures.ts';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { runCli } from '../cli/run-cli.ts';
import { tryToReadOthers } from './outputs-of-others.ts';
import { createOutputsWorld, OUTPUT, type OutputsWorld, TAIL } from './outputs-world.ts';

const CLI = 'bin/gridcast.mjs';

let world: OutputsWorld;
let token: string;
const leave: (() => void)[] = [];

beforeAll(async () => {
  world = await createOutputsWorld();
  token = world.api.tokens.workflow;
});
afterEach(() => {
  world.readOutput = 'READS';
  for (const close of leave.splice(0)) close();
});
afterAll(() => world.close());

const read = async (id: string, variables: object = {}, by = token) => {
  const { data, errors } = await world.api.ask(by, OUTPUT, { id, ...variables });
  return errors ? errors[0] : data.job?.output;
};
const bytesOf = ({ base64 }: { base64: string }) => Buffer.from(base64, 'base64');

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Event = { data?: any; errors?: readonly { extensions?: unknown }[] };

/** Pieces of a subscription as they come, with the moment of their coming. */
function tail(id: string, offset = 0) {
  const { url } = world.api.api;
  const connectionParams = { authorization: `Bearer ${token}` };
  const client = createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, connectionParams });
  leave.push(() => void client.dispose());
  return client.iterate({ query: TAIL, variables: { id, offset } });
}

async function readToEnd(events: ReturnType<typeof tail>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const event of events) {
    const { data, errors } = event as Event;
    if (errors) throw new Error(JSON.stringify(errors));
    pieces.push(bytesOf(data.jobOutput));
  }
  return Buffer.concat(pieces);
}

describe('the output of a job', () => {
  test('is read exactly, piece by piece, while it runs and after its end', async () => {
    const id = await world.runningJob(token);
    expect(await read(id)).toMatchObject({ base64: '', text: '', nextOffset: 0, totalBytes: null, isComplete: false });
    const bytes = Buffer.concat([randomBytes(70_000), Buffer.from([0xff, 0, 0xc3])]);
    world.write(id, 'stdout', bytes);
    world.write(id, 'stderr', 'ach, Übel\n');
    await new Promise((done) => setTimeout(done, 1100));
    const first = await read(id, { limit: 50_000 });
    expect(first).toMatchObject({ offset: 0, nextOffset: 50_000, totalBytes: bytes.length, isComplete: false });
    const second = await read(id, { offset: first.nextOffset });
    expect(Buffer.concat([bytesOf(first), bytesOf(second)]).equals(bytes)).toBe(true);
    expect(second).toMatchObject({ nextOffset: bytes.length, isComplete: false });
    expect(await read(id, { stream: 'STDERR' })).toMatchObject({ text: 'ach, Übel\n' });
    await world.end(id);
    expect(await read(id, { offset: 50_000 })).toMatchObject({ nextOffset: bytes.length, isComplete: true });
    expect(await read(id, { limit: 10 })).toMatchObject({ nextOffset: 10, isComplete: false });
    expect(await read(id, { offset: 1e12 })).toMatchObject({ base64: '', isComplete: true });
  });

  test('what a job wrote between the last look and its end is not missed', async () => {
    const id = await world.runningJob(token);
    world.write(id, 'stdout', 'before');
    expect(await read(id)).toMatchObject({ text: 'before', isComplete: false });
    world.write(id, 'stdout', ' and after');
    await world.end(id);
    expect(await read(id)).toMatchObject({ text: 'before and after', isComplete: true });
  });

  test.each([
    ['limit', 0],
    ['limit', -1],
    ['limit', 1_048_577],
    ['offset', -1],
    ['offset', 0.5],
    ['offset', 1e300],
  ])('%s %d is refused by its name, and the site is not asked', async (field, value) => {
    const id = await world.runningJob(token);
    const before = world.reads.length;
    expect((await read(id, { [field]: value })).extensions).toEqual({ code: 'INVALID', field });
    expect(world.reads.length).toBe(before);
  });

  test('of a job that no site has yet is empty, and no site is asked', async () => {
    const id = await world.runningJob(token);
    await world.api.stores.database.db.submission.deleteMany({ where: { executionId: fromGlobalId(id)?.id ?? '' } });
    const before = world.reads.length;
    expect(await read(id)).toMatchObject({ base64: '', totalBytes: null, isComplete: false });
    expect(world.reads.length).toBe(before);
  });

  test('is refused in words where nothing reads files, where the site is away, and when it is gone', async () => {
    const id = await world.runningJob(token);
    world.write(id, 'stdout', 'some');
    world.readOutput = 'CANNOT';
    expect(await read(id)).toMatchObject({ extensions: { code: 'NO_FILE_TRANSPORT' } });
    world.readOutput = async () => {
      throw new Unavailable('secret words of the site', 'secret words of the site');
    };
    const away = await read(id);
    expect(away).toMatchObject({ extensions: { code: 'SITE_FAULT' } });
    expect(JSON.stringify(away)).not.toContain('secret');
    world.readOutput = 'READS';
    await world.end(id);
    expect(await read(id)).toMatchObject({ text: 'some', isComplete: true });
    const data = { scriptHash: null };
    await world.api.stores.database.db.execution.update({ where: { id: fromGlobalId(id)?.id ?? '' }, data });
    expect(await read(id)).toMatchObject({ extensions: { code: 'OUTPUT_GONE' } });
  });

  test.each([
    ['symbolic', symlinkSync],
    ['hard', linkSync],
  ] as const)('that was replaced by a %s link is gone', async (_, link) => {
    const [id, other] = [await world.runningJob(token), await world.runningJob(token)];
    world.write(other, 'stdout', 'of the other one');
    world.write(id, 'stdout', '');
    const path = join(world.folderOf(id), 'stdout');
    rmSync(path);
    link(join(world.folderOf(other), 'stdout'), path);
    expect(await read(id)).toMatchObject({ extensions: { code: 'OUTPUT_GONE' } });
  });

  test('costs its site a read a second, however many ask for it', async () => {
    const id = await world.runningJob(token);
    world.write(id, 'stdout', 'x'.repeat(1000));
    const before = world.reads.length;
    const startedAt = performance.now();
    const answers = await Promise.all(Array.from({ length: 40 }, (_, turn) => read(id, { offset: turn % 3 })));
    expect(answers.map((answer) => answer.nextOffset)).toEqual(answers.map(() => 1000));
    const seconds = (performance.now() - startedAt) / 1000;
    expect(world.reads.length - before).toBeLessThanOrEqual(3 + seconds);
  });

  test('of no other tenant is read: ids, streams, links', { timeout: 120_000 }, async () => {
    expect(await tryToReadOthers(world, 60)).toEqual({ tries: 60, read: [] });
  });
});

describe('the tail of a job', () => {
  test('comes within three seconds of being written, to all who follow, and ends with the job', async () => {
    const id = await world.runningJob(token);
    const before = world.reads.length;
    const startedAt = performance.now();
    const [late, ...others] = Array.from({ length: 12 }, (_, index) => tail(id, index === 0 ? 3 : 0));
    const all = Promise.all(others.map(readToEnd));
    const lateBytes = readToEnd(late as ReturnType<typeof tail>);
    const watched = tail(id);
    const lags: number[] = [];
    for (const line of ['one\n', 'two\n', 'three\n']) {
      world.write(id, 'stdout', line);
      const writtenAt = performance.now();
      const { value } = await watched.next();
      expect(bytesOf((value as Event).data.jobOutput).toString()).toBe(line);
      lags.push((performance.now() - writtenAt) / 1000);
    }
    world.write(id, 'stdout', 'last words');
    await world.end(id);
    expect(String(await readToEnd(watched))).toBe('last words');
    for (const bytes of await all) expect(String(bytes)).toBe('one\ntwo\nthree\nlast words');
    expect(String(await lateBytes)).toBe('\ntwo\nthree\nlast words');
    expect(Math.max(...lags)).toBeLessThan(3);
    // Both of the running job and, anew, of the one that has ended.
    const seconds = (performance.now() - startedAt) / 1000;
    expect(world.reads.length - before).toBeLessThanOrEqual(2 * 8 + 2 * seconds);
  });

  test("is not to be had of another tenant's job, nor of none", async () => {
    const foreign = await world.runningJob(world.api.tokens.stranger);
    world.write(foreign, 'stdout', 'theirs');
    for (const id of [foreign, 'no id', '']) {
      const { value } = await tail(id).next();
      expect((value as Event).errors?.[0]?.extensions).toEqual({ code: 'NOT_FOUND', field: 'id' });
    }
  });
});

describe('gridcast logs', () => {
  const logs = (...args: string[]) => runCli('logs', ...args, '--url', world.api.api.url, '--token', token);

  test('prints what there is, of either stream, and follows until the end', async () => {
    const id = await world.runningJob(token);
    world.write(id, 'stdout', 'first\n');
    world.write(id, 'stderr', 'warning\n');
    expect(await logs(id)).toMatchObject({ exitCode: 0, stdout: 'first\n', stderr: '' });
    expect(await logs(id, '--stderr')).toMatchObject({ stdout: 'warning\n' });
    expect(await logs(id, '--offset', '2')).toMatchObject({ stdout: 'rst\n' });
    const following = logs(id, '-f');
    await new Promise((done) => setTimeout(done, 1500));
    world.write(id, 'stdout', 'last\n');
    await world.end(id);
    expect(await following).toMatchObject({ exitCode: 0, stdout: 'first\nlast\n' });
  });

  test('goes quietly when whoever reads has seen enough', async () => {
    const id = await world.runningJob(token);
    world.write(id, 'stdout', 'line\n'.repeat(100_000));
    const words = [CLI, 'logs', id, '--url', world.api.api.url, '--token', token];
    const line = `"$@" | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await execa('bash', ['-c', line, 'bash', process.execPath, ...words]);
    expect(stdout).toBe('line\n0');
    // A source that is newer than the build is built first, which it says.
    expect(stderr).not.toMatch(/EPIPE|Error/);
  });

  test('says what is wrong', async () => {
    expect(await logs('no such job')).toMatchObject({ exitCode: 1 });
    const id = await world.runningJob(token);
    world.readOutput = 'CANNOT';
    const refused = await logs(id);
    expect(refused.exitCode).toBe(1);
    expect(refused.stderr).toContain('nothing reads files at the site quick');
  });
});
