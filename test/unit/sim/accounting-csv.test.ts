import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outcomeOfExit } from '../../../src/sim/accounting-csv.ts';
import { readWorkload } from '../../../src/sim/read-workload.ts';
import { toRecords } from '../../../src/sim/records.ts';

const HEADER =
  'jobid,user,group,jobname,queue,ctime,qtime,etime,start,end,procs,req_walltime,used_walltime,req_vmem,used_mem,used_cput,exit_status';
const ROWS = [
  '12.m1,ann,bio,late.sh,batch,2000,2000,2000,2010,2110,4,600,100,8gb,2kb,90,0',
  '10.m1,ann,bio,align_7,batch,1000,1000,1000,1010,1310,4,600,300,8gb,249172kb,0:20:00,271',
  '11.m1,bob,,"a, b",batch,1005,1005,1005,1020,1080,8,60,60,8gb,lots,,-11',
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-accounting-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function read() {
  const path = join(folder, 'torque.csv.gz');
  writeFileSync(path, gzipSync([HEADER, ...ROWS, ''].join('\n')));
  return readWorkload(path);
}

test('records of accounting carry names, groups, use and outcomes, in the order of submission', async () => {
  const [first, second, third] = toRecords(await read());
  expect(first).toMatchObject({
    nativeId: '10.m1',
    user: 'ann',
    group: 'bio',
    program: { name: 'align_7', script: null, arguments: [], workFolder: null },
    use: { cpuSeconds: 1200, memoryBytes: 249_172 * 1024, readBytes: null, writtenBytes: null },
    outcome: 'CANCELLED',
    submitAt: 0,
    startAt: 10,
    endAt: 310,
  });
  expect(second).toMatchObject({ user: 'bob', program: { name: 'a, b' }, outcome: 'TIMEOUT', processors: 8 });
  expect(second).not.toHaveProperty('use');
  expect(second).not.toHaveProperty('group');
  expect(third).toMatchObject({ nativeId: '12.m1', outcome: 'COMPLETED', program: { name: 'late.sh' } });
});

test('names stay with their jobs in a part of a log', async () => {
  const workload = await read();
  const nameOf = (part: typeof workload) => toRecords(part).map(({ program }) => program?.name);
  expect(nameOf(workload.slice(1, 2))).toEqual(['a, b', 'late.sh']);
  expect(nameOf(workload.only((job) => job !== 1))).toEqual(['align_7', 'late.sh']);
});

test('the machine is as large as what was in use at most, which is said; what cannot be read is counted', async () => {
  const workload = await read();
  expect(workload.machineProcessors).toBe(12);
  expect(workload.remarks).toEqual(
    new Map([
      ['submitted earlier than the line before, sorted', 1],
      ['memory used cannot be read, unknown', 1],
      ['processors in use at most, taken as the size of the machine, which is not told', 12],
    ]),
  );
});

test.each([
  [0, 'COMPLETED'],
  [1, 'FAILED'],
  [271, 'CANCELLED'],
  [265, 'CANCELLED'],
  [139, 'FAILED'],
  [-1, 'NODE_FAIL'],
  [-8, 'FAILED'],
  [-10, 'OUT_OF_MEMORY'],
  [-11, 'TIMEOUT'],
])('exit status %i is %s', (status, outcome) => {
  expect(outcomeOfExit(status, { ranSeconds: 10, requestedSeconds: 60 })).toBe(outcome);
});

test('a signal after the whole walltime is the limit, not a cancellation', () => {
  expect(outcomeOfExit(271, { ranSeconds: 61, requestedSeconds: 60 })).toBe('TIMEOUT');
});
