import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { logRecords, remarkList } from '../../../src/commands/input/log-records.ts';
import { readLog } from '../../../src/commands/input/read-log.ts';

const HEADER = 'jobid,user,group,jobname,queue,qtime,start,end,procs,req_walltime,used_mem,used_cput,exit_status';
const JOB = '1.m1,ann,staff,wrf,batch,1000000,1000060,1000160,4,3600,249172kb,300,0';
const LIMITS = { maxBytes: 1 << 20, maxMilliseconds: 60_000 };

const read = (rows: readonly string[], end = '\n') => readLog([HEADER, ...rows, ''].join(end), 'input.content', LIMITS);

/** The records of rows of accounting, and how often what is said of them. */
async function recordsOf(rows: readonly string[], end?: string) {
  const workload = await read(rows, end);
  const records = logRecords(workload, workload.originAt);
  const said = remarkList(workload.remarks).filter(({ reason }) => !reason.includes('size of the machine'));
  return { records, said };
}

describe('accounting as CSV', () => {
  test('gives a record with its name, group and use, at its own moments', async () => {
    const { records, said } = await recordsOf([JOB]);
    expect(records).toEqual([
      {
        nativeId: '1.m1',
        user: 'ann',
        queue: 'batch',
        group: 'staff',
        processors: 4,
        requestedWalltimeSeconds: 3600,
        submitAt: 1_000_000,
        startAt: 1_000_060,
        endAt: 1_000_160,
        outcome: 'COMPLETED',
        program: { name: 'wrf', script: null, arguments: [], workFolder: null },
        use: { cpuSeconds: 300, memoryBytes: 249_172 * 1024, readBytes: null, writtenBytes: null },
      },
    ]);
    expect(said).toEqual([]);
  });

  test('may end its lines as DOS does, have quotes and a byte order mark, and come packed', async () => {
    const quoted = JOB.replace('wrf', '"a ""b"", c"').replace('ann', '"ann"');
    const { records } = await recordsOf([quoted], '\r\n');
    expect(records).toMatchObject([{ user: 'ann', program: { name: 'a "b", c' }, outcome: 'COMPLETED' }]);
    const packed = gzipSync(`\uFEFF${HEADER}\n${JOB}\n`).toString('base64');
    expect((await readLog(packed, 'input.content', LIMITS, 'csv')).length).toBe(1);
  });

  test('may leave fields empty: what they told is absent then', async () => {
    const { records, said } = await recordsOf(['2,,,,,1000000,1000060,1000160,4,,,,']);
    expect(records).toEqual([
      {
        nativeId: '2',
        user: null,
        queue: null,
        processors: 4,
        requestedWalltimeSeconds: null,
        submitAt: 1_000_000,
        startAt: 1_000_060,
        endAt: 1_000_160,
        outcome: null,
      },
    ]);
    expect(said).toEqual([]);
  });

  test.each([
    ['512b', 512],
    ['3kb', 3072],
    ['1.5mb', 1_572_864],
    ['8gb', 8 * 1024 ** 3],
    ['12', 12],
  ])('has memory of %s as %i bytes', async (text, bytes) => {
    const { records } = await recordsOf([JOB.replace('249172kb', text)]);
    expect(records[0]?.use?.memoryBytes).toBe(bytes);
  });

  test('has every fault counted by its name, and goes on', async () => {
    const row = (id: number, submit: string, start: string, end: string, rest = '4,60,1kb,1,0') =>
      `${id},ann,staff,wrf,batch,${submit},${start},${end},${rest}`;
    const { records, said } = await recordsOf([
      row(1, '1000000', '1000010', '1000020'),
      row(1, '1000000', '1000010', '1000030'),
      row(2, '1000000', '999990', '1000020'),
      row(3, '1000000', '1000030', '1000020'),
      row(4, '', '1000010', '1000020'),
      row(5, '1000000', '', ''),
      row(6, '1000000', '1000010', '1000020', '4,60,lots,1,0'),
      row(7, '1000000', '1000010', '1000020', '4,60,1kb,a while,zero'),
      row(8, '1000000', '1000010', '1000020', '0,60,1kb,1,0'),
      row(9, '1000000', '1000010', '1000020').replace('batch', 'ba\0tch'),
      row(10, '1000000', '1000010', '1000020').replace('ann', 'a'.repeat(300)),
    ]);
    expect(records.map(({ nativeId, endAt }) => [nativeId, endAt])).toEqual([
      ['1', 1_000_030],
      ['3', null],
      ['6', 1_000_020],
      ['7', 1_000_020],
    ]);
    expect(Object.fromEntries(said.map(({ reason, count }) => [reason, count]))).toEqual({
      'told more than once, what was told last counts': 1,
      'started before it was submitted, wait unknown': 1,
      'neither its start nor its end is told, left out': 2,
      'ended before it started, runtime unknown': 1,
      'no submission time, skipped': 1,
      'memory used cannot be read, unknown': 1,
      'CPU time used cannot be read, unknown': 1,
      'exit status is no whole number, not read': 1,
      'no size, not a record': 1,
      'its id, user or queue has a NUL or more than 255 characters, left out': 2,
    });
  });

  test.each([
    [
      'a header without columns that must be there',
      'name,when\na,b\n',
      /line 1: no column for submit; .*qtime.*; no column for processors; .*procs/,
    ],
    ['a row that is cut', `${HEADER}\n1.m1,ann,staff\n`, /no table: .*line 2/],
    ['a quote that is not closed', `${HEADER}\n"${JOB}\n${JOB}\n`, /no table: .*Quote/],
    ['a row longer than any', `${HEADER}\n"${'a'.repeat(1 << 20)}"${JOB}\n`, /no table: /],
    ['a moment that is none', `${HEADER}\n${JOB.replace('1000060', 'noon')}\n`, /line 2: "noon" is no moment/],
    ['no job', `${HEADER}\n`, /no job in it/],
    ['a semicolon for a comma', `${HEADER.replaceAll(',', ';')}\n${JOB.replaceAll(',', ';')}\n`, /line 1/],
  ])('%s is refused with its place', async (_what, content, says) => {
    const limits = { ...LIMITS, maxBytes: 4 << 20 };
    await expect(readLog(content, 'input.content', limits)).rejects.toMatchObject({
      name: 'CallerError',
      code: 'INVALID',
      field: 'input.content',
      message: expect.stringMatching(says),
    });
  });

  test('is bounded in size, time and by the format asked for', async () => {
    const rows = `${HEADER}\n${`${JOB}\n`.repeat(20_000)}`;
    const refused = (limits: typeof LIMITS, says: string) =>
      expect(readLog(rows, 'input.content', limits)).rejects.toMatchObject({ message: expect.stringContaining(says) });
    await refused(LIMITS, 'larger than');
    await refused({ maxBytes: 8 << 20, maxMilliseconds: 0 }, 'split it');
    const asSwf = readLog(rows, 'input.content', { ...LIMITS, maxBytes: 8 << 20 }, 'swf');
    await expect(asSwf).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringContaining('this is csv, not swf'),
    });
  });
});

const mason = new URL('../../../../shared/traces/mason-2017Q4.csv.gz', import.meta.url);
test.skipIf(!existsSync(mason))(
  'a real log of Torque is read whole (skipped where ../shared/traces is not there)',
  async () => {
    const content = readFileSync(mason).toString('base64');
    const workload = await readLog(content, 'input.content', { ...LIMITS, maxBytes: 64 << 20 });
    const records = logRecords(workload, workload.originAt);
    expect(workload.length).toBe(16_221);
    expect(records.length).toBeGreaterThan(16_000);
    expect(new Set(records.map(({ program }) => program?.name)).size).toBeGreaterThan(8500);
    expect(records.filter(({ use }) => use?.cpuSeconds === undefined)).toEqual([]);
  },
);

test('what sacct writes is read too: units of a K, steps left out', async () => {
  const rows =
    'JobID|User|Account|JobName|Submit|Start|End|AllocCPUS|State\n7|ann|climate|wrf|1000000|1000010|1000020|4|COMPLETED\n7.batch||climate|batch|1000010|1000010|1000020|4|COMPLETED\n';
  const workload = await readLog(rows, 'input.content', LIMITS, 'sacct');
  expect(logRecords(workload, workload.originAt)).toMatchObject([
    { nativeId: '7', account: 'climate', program: { name: 'wrf' }, outcome: 'COMPLETED' },
  ]);
});
