import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseAccounting } from '../../../adapters/gridengine/accounting.ts';
import {
  type AccountingSelection,
  accountingCommand,
  readAccountingPage,
} from '../../../adapters/gridengine/accounting-file.ts';

let root: string;
let file: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gridcast-cell-'));
  mkdirSync(join(root, 'default/common'), { recursive: true });
  file = join(root, 'default/common/accounting');
});
afterEach(() => rmSync(root, { recursive: true }));

function line(number: number, endAt: number, name = `job${number}`): string {
  const before = ['batch.q', 'h', 'g', 'alice', name, number, 'sge', 0, endAt - 20, endAt - 10, endAt, 0, 0];
  const usage = Array.from({ length: 18 }, () => 0);
  return `${[...before, ...usage, 'NONE', 'dep', 'NONE', 1, 0, 0, 0, 0, '-l h_rt=60', 0, 'NONE', 0, 0, 0].join(':')}\n`;
}

function answerTo(selection: AccountingSelection): { lines: string; isWhole: boolean } {
  const [program, ...words] = accountingCommand(selection).argv;
  const text = execFileSync(program, words, {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    env: { PATH: '/usr/bin:/bin', SGE_ROOT: root },
    stdio: 'pipe',
  });
  return readAccountingPage(text);
}

function entriesOf(selection: AccountingSelection) {
  return parseAccounting(answerTo(selection).lines);
}

function run(selection: AccountingSelection): { numbers: string[]; isWhole: boolean } {
  const { lines, isWhole } = answerTo(selection);
  return { numbers: parseAccounting(lines).map(({ nativeId }) => nativeId), isWhole };
}

function history(endedSince: number, overlapSeconds = 0, maxLines = 1000) {
  return run({ endedSince, overlapSeconds, maxLines });
}

/** Torn in its queue's name, a record cannot be told from one of a queue of both names. */
function queueAfter(length: number): string {
  return length <= 'batch.q'.length ? `${'batch.q'.slice(0, length)}batch.q` : 'batch.q';
}

describe('the accounting file', () => {
  test('is empty as long as no job has ended; without its folder there is no answer', () => {
    expect(history(0)).toEqual({ numbers: [], isWhole: true });
    rmSync(join(root, 'default'), { recursive: true });
    expect(() => history(0)).toThrow();
  });

  test('by moment: what ended from then on, the overlap before', () => {
    writeFileSync(file, `# Version: 8.1.9\n${[1, 2, 3, 4].map((number) => line(number, 1000 * number)).join('')}`);
    expect(history(0).numbers).toEqual(['1', '2', '3', '4']);
    expect(history(3000).numbers).toEqual(['3', '4']);
    expect(history(3000, 1000).numbers).toEqual(['2', '3', '4']);
    expect(history(9000).numbers).toEqual([]);
  });

  test('a line that was written long after its end is not missed', () => {
    writeFileSync(file, line(1, 1000) + line(2, 5000) + line(3, 200) + line(4, 5100));
    expect(history(4000).numbers).toEqual(['2', '3', '4']);
  });

  test('what was rotated out of it, also compressed, oldest first and only what was written since', () => {
    const now = Math.floor(Date.now() / 1000);
    const rotate = (number: number, modifiedAt: number) => {
      utimesSync(file, modifiedAt, modifiedAt);
      renameSync(file, `${file}.${number}`);
    };
    writeFileSync(file, line(1, now - 9000));
    rotate(2, now - 8000);
    writeFileSync(file, line(2, now - 900));
    rotate(1, now - 800);
    execFileSync('gzip', [`${file}.1`]);
    writeFileSync(file, line(3, now - 500));
    rotate(0, now - 400);
    expect(history(now - 1000).numbers).toEqual(['2', '3']);
    appendFileSync(file, line(4, now));
    expect(history(now - 1000).numbers).toEqual(['2', '3', '4']);
    expect(history(0).numbers).toEqual(['1', '2', '3', '4']);
    expect(run({ numbers: ['2', '4'], writtenSince: now - 1000 }).numbers).toEqual(['2', '4']);
  });

  test('pages go on until everything was seen, and each brings the next one further', () => {
    const ends = Array.from({ length: 50 }, (_, index) => 1000 + 10 * Math.floor(index / 7));
    writeFileSync(file, ends.map((endAt, index) => line(index, endAt)).join(''));
    const seen = new Set<string>();
    let since = 0;
    for (let calls = 0; ; calls++) {
      expect(calls).toBeLessThan(60);
      const { numbers, isWhole } = history(since, 15, 3);
      for (const number of numbers) seen.add(number);
      if (isWhole) break;
      const latest = Math.max(...numbers.map((number) => ends[Number(number)] as number));
      expect(latest).toBeGreaterThan(since);
      since = latest;
    }
    expect(seen.size).toBe(50);
  });

  test('by name and by number, ten thousand at once', () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => index + 1);
    writeFileSync(file, numbers.map((number) => line(number, 1000, `name${number % 5000}`)).join(''));
    expect(run({ name: 'name77', writtenSince: 0 }).numbers).toEqual(['77', '5077']);
    expect(run({ name: 'name', writtenSince: 0 }).numbers).toEqual([]);
    expect(run({ numbers: numbers.map(String), writtenSince: 0 }).numbers.length).toBe(10_000);
  });

  test('a record without its end is not there yet', () => {
    const torn = line(2, 2000);
    for (let length = 1; length < torn.length; length += 6) {
      writeFileSync(file, line(1, 1000) + torn.slice(0, length));
      expect(history(0)).toEqual({ numbers: ['1'], isWhole: true });
    }
    appendFileSync(file, '\n');
    expect(history(0).numbers).toEqual(['1', '2']);
  });

  test('a torn record costs itself alone, wherever it was torn, whether the next one stands on its line or not', () => {
    const torn = line(2, 2000);
    const selections = [{ name: 'job3' }, { numbers: ['3'] }] as const;
    for (let length = 0; length < torn.length - 1; length += 9) {
      for (const next of [line(3, 3000), `\n${line(3, 3000)}`]) {
        writeFileSync(file, line(1, 1000) + torn.slice(0, length) + next);
        expect(history(0).numbers).toEqual(['1', '3']);
        for (const selection of selections) expect(run({ ...selection, writtenSince: 0 }).numbers).toEqual(['3']);
        expect(entriesOf({ numbers: ['3'], writtenSince: 0 })[0]).toMatchObject({
          queue: queueAfter(length),
          endAt: 3000,
        });
      }
    }
  });

  test('a record that was torn before its file was rotated costs no record of the next file', () => {
    writeFileSync(file, line(1, 1000) + line(2, 2000).slice(0, 90));
    renameSync(file, `${file}.0`);
    writeFileSync(file, line(3, 3000));
    expect(history(0).numbers).toEqual(['1', '3']);
  });

  test('colons in what was asked for tear nothing; a file of another form is not taken for an empty one', () => {
    const asked = line(1, 1000).replace('h_rt=60', 'h_rt=0:1:0,s_rt=00:00:50 -q a.q:1');
    writeFileSync(file, asked + line(2, 2000));
    expect(history(0).numbers).toEqual(['1', '2']);
    writeFileSync(file, 'a:b:c\nd:e:f\n');
    expect(() => history(0)).toThrow('fields');
  });
});
