import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { machineOf } from '../../../src/experiment/simulate.ts';
import { generateWorkload } from '../../../src/sim/generator.ts';
import { readWorkload } from '../../../src/sim/read-workload.ts';
import { SwfParser } from '../../../src/sim/swf.ts';
import { WorkloadError } from '../../../src/sim/workload-error.ts';
import { writeLines } from '../../../src/sim/write-lines.ts';
import { swfLines } from './swf-lines.ts';

const HEADER = `; Version: 2.2
; UnixStartTime: 1000000
; MaxProcs: 128
; Queue:  1  express
; Note: first part
;       and its continuation
;
`;
const JOBS = `  1  100  5  60.5  4  59.2 -1  4  120 -1  1  7 3 11  1 -1 -1 -1
\t2  110 -1 -1 -1 -1 -1 8 300 -1 5 8 3 -1 -1 -1 -1 -1\r
3 120 0 10 2 -1 -1 2 -1 -1 0 7 3 -1 1 -1 -1 -1
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-logs-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

async function failure(path: string): Promise<WorkloadError> {
  const error = await readWorkload(path).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(WorkloadError);
  return error as WorkloadError;
}

test('reads header, unknowns and decimals', async () => {
  const workload = await readWorkload(file('small.swf', HEADER + JOBS));
  const { id, runSeconds, waitSeconds, requestedSeconds, requestedProcessors, status, user } = workload.columns;
  expect(workload.length).toBe(3);
  expect(workload.machineProcessors).toBe(128);
  expect(workload.originAt).toBe(1_000_000);
  expect(workload.queueNames).toEqual(new Map([[1, 'express']]));
  expect(workload.header.get('Note')).toBe('first part\nand its continuation');
  expect([...id.subarray(0, 3)]).toEqual([1, 2, 3]);
  expect([...runSeconds.subarray(0, 3)]).toEqual([60.5, -1, 10]);
  expect([...waitSeconds.subarray(0, 3)]).toEqual([5, -1, 0]);
  expect([...requestedSeconds.subarray(0, 3)]).toEqual([120, 300, -1]);
  expect(requestedProcessors[1]).toBe(8);
  expect([...status.subarray(0, 3)]).toEqual([1, 5, 0]);
  expect([...user.subarray(0, 3)]).toEqual([7, 8, 7]);
});

test.each<[string, number | null]>([
  ['MaxProcs: 64 (of 128)', 64],
  ['MaxProcs: -1\n; MaxNodes: 400 (48 interactive, 352 batch)', 400],
  ['MaxProcs: 1,024\n; MaxNodes: 128', null],
  ['MaxProcs: 1e3', null],
  ['MaxProcs: 64.5', null],
  ['MaxProcs: 16K', null],
  ['MaxProcs: 99999999999', null],
])('a size of the machine that is no whole number is not taken for another one: %s', async (header, processors) => {
  const workload = await readWorkload(file('sized.swf', `; ${header}\n${JOBS}`));
  expect(workload.machineProcessors).toBe(processors);
  if (processors === null) expect(() => machineOf(workload, undefined)).toThrow(/its header says "MaxProcs: .*"/);
  expect(machineOf(workload, 32)).toBe(32);
});

test('gzip is recognised by its content, whatever the name', async () => {
  const workload = await readWorkload(file('packed.swf', gzipSync(HEADER + JOBS)));
  expect(workload.length).toBe(3);
});

test('a byte order mark, as some editors write it, is no part of the log', async () => {
  const workload = await readWorkload(file('marked.swf', `\uFEFF${HEADER}${JOBS}`));
  expect(workload.length).toBe(3);
  expect(workload.header.get('Version')).toBe('2.2');
});

test.each([
  ['4 9000000000 0 10 2 -1 -1 2 -1 -1 0 7 3 -1 1 -1 -1 -1', 'job 4 ends 285 years after'],
  ['4 130 9000000000 10 2 -1 -1 2 -1 -1 0 7 3 -1 1 -1 -1 -1', 'job 4 ends 285 years after'],
  ['4 130 0 9000000000 2 -1 -1 2 -1 -1 0 7 3 -1 1 -1 -1 -1', 'job 4 ends 285 years after'],
])('a job out of all bounds is refused, as nobody could follow a site until then: %s', async (line, told) => {
  const { message } = await failure(file('far.swf', `${HEADER}${JOBS}${line}\n`));
  expect(message).toContain(`far.swf: ${told} the first one was submitted, at most 50 are read; correct it or leave`);
});

test('how a log is cut into chunks makes no difference', () => {
  const bytes = new TextEncoder().encode(HEADER + JOBS.trimEnd());
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
      const parser = new SwfParser('chunks');
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = sizes[turn % sizes.length] as number;
        parser.push(bytes.subarray(at, at + size));
        at += size;
      }
      const whole = new SwfParser('chunks');
      whole.push(bytes);
      expect(parser.finish().columns).toEqual(whole.finish().columns);
    }),
  );
});

test('what is written is read back, plain and compressed', async () => {
  const workload = generateWorkload({ seed: 3, processors: 64, load: 0.7, fromAt: 1_700_000_000 }, 3000);
  for (const name of ['written.swf', 'written.swf.gz']) {
    await writeLines(join(folder, name), swfLines(workload));
    const back = await readWorkload(join(folder, name));
    expect(back.length).toBe(3000);
    expect(back.header).toEqual(workload.header);
    for (const column of Object.keys(workload.columns) as (keyof typeof workload.columns)[]) {
      expect(back.columns[column].subarray(0, 3000)).toEqual(workload.columns[column].subarray(0, 3000));
    }
  }
});

test.each([
  ['too few fields', '1 2 3\n', 8, /3 fields instead of 18; is the file cut off/],
  ['too many fields', `1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\n`, 8, /more than 18 fields/],
  ['a word', '1 noon 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n', 8, /submit time is no number: "noon"/],
  ['a number with a tail', '1 2x 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n', 8, /"2x"/],
])('%s is an error with its line', async (_, line, number, words) => {
  const error = await failure(file('bad.swf', HEADER + line));
  expect(error.line).toBe(number);
  expect(error.message).toMatch(words);
});

test('a truncated gzip is an error and no shorter log', async () => {
  const packed = gzipSync(HEADER + JOBS.repeat(2000));
  const error = await failure(file('cut.swf.gz', packed.subarray(0, packed.length - 20)));
  expect(error.message).toMatch(/truncated/);
});

test('a damaged gzip is an error', async () => {
  const packed = Buffer.from(gzipSync(HEADER + JOBS.repeat(2000)));
  packed.fill(0xff, 40, 60);
  expect((await failure(file('damaged.swf.gz', packed))).message).toMatch(/damaged/);
});

test('binary, empty, jobless and missing files and folders are errors', async () => {
  const binary = Uint8Array.from({ length: 4096 }, (_, index) => (index * 37) % 256);
  expect((await failure(file('binary.swf', binary))).message).toMatch(/binary/);
  expect((await failure(file('empty.swf', ''))).message).toMatch(/empty/);
  expect((await failure(file('header.swf', HEADER))).message).toMatch(/no job/);
  expect((await failure(join(folder, 'nowhere.swf'))).message).toMatch(/no such file/);
  expect((await failure(folder)).message).toMatch(/folder/);
});

test('negative and unsorted times are counted, never silently used', async () => {
  const rows = [
    '1 300 5 60 4 -1 -1 4 120 -1 1 7 3 1 1 -1 -1 -1',
    '2 200 -7 60 4 -1 -1 4 120 -1 1 7 3 1 1 -1 -1 -1',
    '3 -1 5 60 4 -1 -1 4 120 -1 1 7 3 1 1 -1 -1 -1',
    '4 100 5 -60 4 -1 -1 4 120 -1 1 7 3 1 1 -1 -1 -1',
  ];
  const workload = await readWorkload(file('odd.swf', `${rows.join('\n')}\n`));
  expect([...workload.columns.id.subarray(0, workload.length)]).toEqual([4, 2, 1]);
  expect(workload.columns.waitSeconds[1]).toBe(-1);
  expect(workload.columns.runSeconds[0]).toBe(-1);
  expect(Object.fromEntries(workload.remarks)).toEqual({
    'negative wait, kept as unknown': 1,
    'negative run time, kept as unknown': 1,
    'no submission time, skipped': 1,
    'submitted earlier than the line before, sorted': 2,
  });
});

test('sacct -P is read: states, time limits, unknown moments; steps are counted', async () => {
  const text = `JobID|JobName|User|Account|Partition|State|ExitCode|Submit|Start|End|Timelimit|NCPUS
10|a|alice|phys|batch|COMPLETED|0:0|2026-01-01T00:00:10|2026-01-01T00:00:20|2026-01-01T00:01:20|00:05:00|4
10.batch|batch||phys||COMPLETED|0:0|2026-01-01T00:00:20|2026-01-01T00:00:20|2026-01-01T00:01:20||4
11|b, "quoted"|bob|phys|long|CANCELLED by 1001|0:0|2026-01-01T00:00:00|Unknown|2026-01-01T00:02:00|1-02:00:00|8
12|c|alice|phys|batch|TIMEOUT|0:0|2026-01-01T00:00:30|2026-01-01T00:00:40|2026-01-01T00:01:40|UNLIMITED|1
`;
  const workload = await readWorkload(file('sacct.txt', text));
  const { id, submitAt, waitSeconds, runSeconds, requestedSeconds, status, user, queue } = workload.columns;
  const first = (column: ArrayLike<number>) => Array.from(column).slice(0, 3);
  expect(workload.originAt).toBe(Date.UTC(2026, 0, 1) / 1000);
  expect(first(id)).toEqual([11, 10, 12]);
  expect(first(submitAt)).toEqual([0, 10, 30]);
  expect(first(waitSeconds)).toEqual([-1, 10, 10]);
  expect(first(runSeconds)).toEqual([-1, 60, 60]);
  expect(first(requestedSeconds)).toEqual([93_600, 300, -1]);
  expect(first(status)).toEqual([5, 1, 0]);
  expect(first(user).map((number) => workload.userNames?.[number])).toEqual(['bob', 'alice', 'alice']);
  expect(first(queue).map((number) => workload.queueNames.get(number))).toEqual(['long', 'batch', 'batch']);
  expect(workload.remarks.get('job step, skipped')).toBe(1);
});

test('a CSV with named columns is read, in any order and with quotes', async () => {
  const text = `user,processors,submitAt,startAt,endAt,requestedWalltimeSeconds
"Doe, J.",4,1000,1010,1070,120
smith,2,1005,,,60
`;
  const { columns, userNames, originAt } = await readWorkload(file('jobs.csv', text));
  expect(originAt).toBe(1000);
  expect([...columns.submitAt.subarray(0, 2)]).toEqual([0, 5]);
  expect([...columns.waitSeconds.subarray(0, 2)]).toEqual([10, -1]);
  expect([...columns.allocatedProcessors.subarray(0, 2)]).toEqual([4, 2]);
  expect(userNames).toEqual(['', 'Doe, J.', 'smith']);
});

test.each([
  ['no column for the size', 'submitAt,user\n1,a\n', /no column for processors/],
  [
    'two columns of one name',
    'submitAt,start,processors,Start\n1,2,4,900\n',
    /line 1: two columns are called start; leave one of them out/,
  ],
  ['a moment that is none', 'submitAt,processors\nyesterday,4\n', /line 2: "yesterday" is no moment/],
  ['a size that is none', 'submitAt,processors\n1,many\n', /line 2: "many" is no number of processors/],
  ['a ragged line', 'submitAt,processors\n1,2\n1\n', /columns length is 2, got 1 on line 3/],
])('a CSV with %s is an error', async (_, text, words) => {
  expect((await failure(file('bad.csv', text))).message).toMatch(words);
});
