import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeStageFault, StageFailure, stageFinding, toRecordedFault } from '../../../src/domain/staging.ts';
import { assertAddress, isPublicAddress } from '../../../src/flow/staging/address-guard.ts';
import { RemoteFiles } from '../../../src/flow/staging/remote-files.ts';
import { RunningHash } from '../../../src/flow/staging/running-hash.ts';
import { FileServer } from '../../file-server.ts';

const BYTES = randomBytes(100_000);
let server: FileServer;
let remote: RemoteFiles;
const never = new AbortController().signal;

beforeEach(async () => {
  server = await new FileServer().start();
  remote = new RemoteFiles(['127.0.0.1']);
});
afterEach(async () => {
  await remote.close();
  await server.close();
});

async function readAll(address: string, offset = 0): Promise<Buffer> {
  const { bytes } = await remote.read(address, offset, never);
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

async function failureOf(work: Promise<unknown>): Promise<StageFailure> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StageFailure)) throw error;
  expect(`${error.message} ${String(error.cause)}`).not.toMatch(/SECRET|127\.0\.0\.1/);
  return error;
}

async function faultOf(work: Promise<unknown>): Promise<string> {
  const failure = await failureOf(work);
  return `${toRecordedFault(failure)}${failure.isFinal ? '' : ' for now'}`;
}

describe('reading', () => {
  test('a file is read from an offset on, from servers that know ranges and from those that do not', async () => {
    server.files.set('a', { bytes: BYTES });
    server.files.set('b', { bytes: BYTES, ranges: false });
    server.files.set('c', { bytes: BYTES, ranges: false, hasLength: false });
    for (const name of ['a', 'b', 'c']) {
      expect((await readAll(server.url(name))).equals(BYTES), name).toBe(true);
      expect((await readAll(server.url(name), 77_777)).equals(BYTES.subarray(77_777)), name).toBe(true);
      expect((await readAll(server.url(name), BYTES.length)).length, name).toBe(0);
    }
    const told = await remote.read(server.url('a'), 5, never);
    expect(told).toMatchObject({ totalBytes: BYTES.length, version: expect.stringMatching(/^"/) });
    expect((await remote.read(server.url('c'), 0, never)).totalBytes).toBeNull();
  });

  test('a connection that breaks is a fault that may pass', async () => {
    server.files.set('a', { bytes: BYTES, breaks: [1000] });
    expect(await faultOf(readAll(server.url('a')))).toBe('SOURCE_FAULT for now');
    expect((await readAll(server.url('a'))).equals(BYTES)).toBe(true);
  });

  test.each([
    [404, 'NOT_FOUND 404', 'SOURCE_FAULT 404'],
    [410, 'NOT_FOUND 410', 'SOURCE_FAULT 410'],
    [403, 'DENIED 403', 'DENIED 403'],
    [401, 'DENIED 401', 'DENIED 401'],
    [302, 'SOURCE_FAULT 302', 'SOURCE_FAULT 302'],
    [304, 'SOURCE_FAULT 304', 'SOURCE_FAULT 304'],
    [400, 'SOURCE_FAULT 400', 'SOURCE_FAULT 400'],
    [408, 'SOURCE_FAULT 408 for now', 'SOURCE_FAULT 408 for now'],
    [425, 'SOURCE_FAULT 425 for now', 'SOURCE_FAULT 425 for now'],
    [429, 'SOURCE_FAULT 429 for now', 'SOURCE_FAULT 429 for now'],
    [500, 'SOURCE_FAULT 500 for now', 'SOURCE_FAULT 500 for now'],
    [503, 'SOURCE_FAULT 503 for now', 'SOURCE_FAULT 503 for now'],
  ])('%d means %s to who reads and %s to who writes', async (status, read, written) => {
    server.files.set('a', { bytes: BYTES, status });
    const reading = await failureOf(readAll(server.url('a')));
    const writing = await failureOf(remote.write(server.url('a'), pieces(BYTES), BYTES.length, never));
    expect([reading, writing].map((one) => `${toRecordedFault(one)}${one.isFinal ? '' : ' for now'}`)).toEqual([
      read,
      written,
    ]);
    expect(describeStageFault(reading, 'IN')).toContain(`the server answered GET with ${status}`);
    expect(describeStageFault(writing, 'OUT')).toContain(`the server answered PUT with ${status}`);
    expect(stageFinding(toRecordedFault(reading))).toEqual({ fault: reading.fault, httpStatus: status });
  });

  test('an answer without the content of a file is final', async () => {
    server.files.set('a', { bytes: BYTES, status: 204 });
    expect(await faultOf(readAll(server.url('a')))).toBe('SOURCE_FAULT 204');
  });

  test('of a source that is shorter than what was read of it its size is told', async () => {
    server.files.set('a', { bytes: BYTES.subarray(0, 10) });
    expect((await remote.read(server.url('a'), 50, never)).totalBytes).toBe(10);
  });

  test('nobody who listens is a fault that may pass', async () => {
    const address = server.url('a');
    await server.close();
    expect(await faultOf(readAll(address))).toBe('SOURCE_FAULT for now');
    server = await new FileServer().start();
  });
});

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 30_000) yield bytes.subarray(at, at + 30_000);
}

describe('writing', () => {
  test('a file is put whole', async () => {
    await remote.write(server.url('out'), pieces(BYTES), BYTES.length, never);
    expect(server.taken.get('out')?.equals(BYTES)).toBe(true);
    await remote.write(server.url('empty'), pieces(Buffer.alloc(0)), 0, never);
    expect(server.taken.get('empty')?.length).toBe(0);
  });

  test('what its source throws is told as it is, and a broken connection may pass', async () => {
    const failure = new StageFailure('SITE_FAULT', false);
    const failing = (async function* () {
      yield BYTES.subarray(0, 10);
      throw failure;
    })();
    await expect(remote.write(server.url('failing'), failing, BYTES.length, never)).rejects.toBe(failure);
    server.files.set('out', { bytes: BYTES, breaks: [10] });
    expect(await faultOf(remote.write(server.url('out'), pieces(BYTES), BYTES.length, never))).toBe(
      'SOURCE_FAULT for now',
    );
    expect(server.taken.has('out')).toBe(false);
  });
});

test('closing breaks off what is under way', async () => {
  const endless = (async function* () {
    for (;;) {
      yield BYTES;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const writing = remote.write(server.url('out'), endless, 2 ** 40, never);
  const fault = faultOf(writing);
  while (server.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await remote.close();
  expect(await fault).toBe('SOURCE_FAULT for now');
});

describe('addresses', () => {
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
  ])('%s is in no public network', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['8.8.8.8', '172.32.0.1', '2a00:1450::1', '2600::1'])('%s is in a public one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data',
    'ftp://8.8.8.8/',
    'http://user:pass@8.8.8.8/',
  ])('%s is refused before anything is asked', (address) => {
    expect(() => assertAddress(new URL(address), [])).toThrow(StageFailure);
  });

  test.each([
    ['http://10.1.2.3/f', '10.1.2.3:80'],
    ['https://10.1.2.3/f', '10.1.2.3:443'],
    ['https://10.1.2.3:8443/f', '10.1.2.3'],
    ['http://[fd00::1]:8080/f', '[fd00::1]:8080'],
  ])('%s is asked where %s is allowed, on that port alone', (address, allowed) => {
    expect(assertAddress(new URL(address), [allowed])).toBe(false);
    const elsewhere = new URL(address);
    elsewhere.port = '9';
    if (/:\d+$/.test(allowed)) expect(() => assertAddress(elsewhere, [allowed])).toThrow(StageFailure);
  });

  test('a name that leads to this machine is refused, and so is a redirect to it; the operator may allow it', async () => {
    const guarded = new RemoteFiles([]);
    server.files.set('a', { bytes: BYTES });
    try {
      const named = `http://localhost:${server.port}/a`;
      expect(await faultOf(guarded.read(named, 0, never))).toBe('ADDRESS_REFUSED');
      expect(await faultOf(guarded.read(server.url('a'), 0, never))).toBe('ADDRESS_REFUSED');
      expect(await faultOf(guarded.write(named, pieces(BYTES), BYTES.length, never))).toBe('ADDRESS_REFUSED');
      server.files.set('away', { bytes: BYTES, status: 302, location: `http://localhost:${server.port}/a` });
      expect(await faultOf(remote.read(server.url('away'), 0, never))).toBe('ADDRESS_REFUSED');
      expect(server.asked.filter((one) => one.includes('/a '))).toEqual([]);
      server.files.set('there', { bytes: BYTES, status: 307, location: '/a' });
      expect((await readAll(server.url('there'))).equals(BYTES)).toBe(true);
    } finally {
      await guarded.close();
    }
  });

  test('redirects end', async () => {
    server.files.set('loop', { bytes: BYTES, status: 302, location: '/loop' });
    expect(await faultOf(readAll(server.url('loop')))).toBe('SOURCE_FAULT 302');
    expect(server.asked).toHaveLength(6);
  });
});

test('a hash is gone on with by another process', async () => {
  const first = await RunningHash.open(null);
  first.add(BYTES.subarray(0, 12_345));
  const second = await RunningHash.open(first.state());
  const before = first.sha256();
  expect(second.sha256()).toBe(before);
  second.add(BYTES.subarray(12_345));
  first.add(BYTES.subarray(12_345));
  expect(second.sha256()).toBe(first.sha256());
  expect(first.sha256()).not.toBe(before);
});
