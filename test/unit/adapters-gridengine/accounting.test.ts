import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type AccountingEntry, outcomeOf, parseAccounting, recordOf } from '../../../adapters/gridengine/accounting.ts';
import { readAccountingPage } from '../../../adapters/gridengine/accounting-file.ts';
import { endOf, lastRuns } from '../../../adapters/gridengine/native-jobs.ts';
import { accountOf, useOf } from '../../../adapters/gridengine/use.ts';

function fixture(name: string): AccountingEntry[] {
  return parseAccounting(readFileSync(new URL(`../../fixtures/gridengine/${name}`, import.meta.url), 'utf8'));
}

const ENTRY: AccountingEntry = {
  nativeId: '1',
  name: 'x',
  user: 'alice',
  queue: 'batch.q',
  processors: 1,
  requestedWalltimeSeconds: 60,
  submitAt: 1000,
  startAt: 1100,
  endAt: 1150,
  failed: 0,
  exitStatus: 0,
  requestsMemory: false,
  memoryLimitBytes: null,
  group: null,
  account: null,
  use: { cpuSeconds: null, memoryBytes: null },
};

describe('the accounting file', () => {
  const lab = fixture('accounting-lab.txt');

  test('a line is a run, with everything history needs', () => {
    expect(recordOf(lab.find(({ nativeId }) => nativeId === '1') as AccountingEntry)).toEqual({
      nativeId: '1',
      user: 'alice',
      queue: 'batch.q',
      processors: 4,
      requestedWalltimeSeconds: 300,
      submitAt: 1795198337,
      startAt: 1795198337,
      endAt: 1795198344,
      outcome: 'CANCELLED',
      group: 'alice',
      program: { name: 'long', script: null, arguments: [], workFolder: null },
      use: { cpuSeconds: 0.023493, memoryBytes: 1_835_008, readBytes: null, writtenBytes: null },
    });
  });

  test('what the single processes of a parallel job used counts to it', () => {
    const [line = ''] = readFileSync(new URL('../../fixtures/gridengine/accounting-lab.txt', import.meta.url), 'utf8')
      .split('\n')
      .filter((text) => text.includes(':long:'));
    const process = line
      .replace(/NONE:1835008\.000000(:0:0)$/, '1.node7:1000000.000000$1')
      .replace(':0.023493:', ':7.5:');
    const [job, ...others] = parseAccounting([process, process, line, line.replace(':1:sge:', ':4:sge:')].join('\n'));
    expect(job?.use).toEqual({ cpuSeconds: 15.023493, memoryBytes: 3_835_008 });
    expect(others.map(({ nativeId, use }) => [nativeId, use.cpuSeconds])).toEqual([['4', 0.023493]]);
  });

  test('who pays is the account string, or else the project; the key in our name is no program', () => {
    expect([accountOf('sge', 'NONE'), accountOf('sge', 'climate'), accountOf('a1', 'climate')]).toEqual([
      null,
      'climate',
      'a1',
    ]);
    expect(recordOf({ ...ENTRY, account: 'a1' })).toMatchObject({ account: 'a1' });
    expect(recordOf({ ...ENTRY, name: 'gridcast.gc-1' })).not.toHaveProperty('program');
  });

  test('of a run that was too short for a look no memory is told, of one that never was no use, of nonsense nothing', () => {
    expect(useOf('0.000000', '0.000000')).toEqual({ cpuSeconds: 0, memoryBytes: null });
    expect(useOf('-1', 'nan')).toEqual({ cpuSeconds: null, memoryBytes: null });
    const use = { cpuSeconds: 0, memoryBytes: null };
    expect(recordOf({ ...ENTRY, use })).toMatchObject({ use: { cpuSeconds: 0, readBytes: null, writtenBytes: null } });
    expect(recordOf({ ...ENTRY, use, startAt: null, exitStatus: 1 })).not.toHaveProperty('use');
  });

  test.each([
    ['2', 'COMPLETED', 0],
    ['7', 'FAILED', 3],
    ['8', 'TIMEOUT', null],
    ['1', 'CANCELLED', null],
    ['9.2', 'COMPLETED', 0],
  ])('job %s ended as %s', (nativeId, outcome, exitCode) => {
    const run = lastRuns(lab).get(nativeId) as AccountingEntry;
    expect(endOf(run, 0)).toMatchObject({ outcome, exitCode, state: 'ENDED' });
  });

  test('a run that was put back is no end and no record, and tells not even its submission', () => {
    const putBack = fixture('accounting.txt').find(({ nativeId }) => nativeId === '1032') as AccountingEntry;
    expect(putBack).toMatchObject({ failed: 25, submitAt: null, startAt: null, endAt: null });
    expect(recordOf(putBack)).toBeNull();
    expect(endOf(putBack, 1234)).toMatchObject({ outcome: 'CANCELLED', submittedAt: 1234 });
  });

  test('a job that could not be started failed; one deleted while it was being started was cancelled', () => {
    const runs = lastRuns(fixture('accounting.txt'));
    expect(outcomeOf(runs.get('1031') as AccountingEntry)).toBe('FAILED');
    expect(outcomeOf(runs.get('1027.5') as AccountingEntry)).toBe('CANCELLED');
  });

  test('colons in the category do not move what follows it', () => {
    const line = readFileSync(new URL('../../fixtures/gridengine/accounting-lab.txt', import.meta.url), 'utf8')
      .split('\n')
      .find((text) => text.includes('-l h_rt=5:')) as string;
    const [entry] = parseAccounting(line.replace('-l h_rt=5:', '-q a@b -l h_rt=0:1:5,h_vmem=2G -U x:'));
    expect(entry).toMatchObject({ requestedWalltimeSeconds: 65, requestsMemory: true, processors: 1 });
    expect(parseAccounting(line.replace(/NONE(:[\d.]+:0:0)$/, '1.node7$1'))).toEqual([]);
  });

  test('a line that is no line is an error, comments are none', () => {
    expect(() => parseAccounting('batch.q:ge1:alice')).toThrow('has 3 fields');
    expect(parseAccounting('# a comment: with colons\n\n')).toEqual([]);
  });
});

describe('how a run ended', () => {
  const killed = { failed: 100, exitStatus: 137 };
  test.each<[Partial<AccountingEntry>, string]>([
    [{}, 'COMPLETED'],
    [{ exitStatus: 1 }, 'FAILED'],
    [{ exitStatus: 137 }, 'FAILED'],
    [killed, 'CANCELLED'],
    [{ ...killed, endAt: 1160 }, 'TIMEOUT'],
    [{ ...killed, endAt: 1155 }, 'TIMEOUT'],
    [{ ...killed, endAt: 1154 }, 'CANCELLED'],
    [{ ...killed, requestedWalltimeSeconds: 9, endAt: 1106 }, 'TIMEOUT'],
    [{ ...killed, requestedWalltimeSeconds: 9, endAt: 1105 }, 'CANCELLED'],
    [{ ...killed, exitStatus: 139 }, 'FAILED'],
    [{ ...killed, requestedWalltimeSeconds: null, endAt: 9999 }, 'CANCELLED'],
    [{ failed: 37, exitStatus: 137, endAt: 1160 }, 'TIMEOUT'],
    [{ failed: 37, exitStatus: 137, requestsMemory: true }, 'OUT_OF_MEMORY'],
    [{ failed: 37, exitStatus: 137 }, 'TIMEOUT'],
    [{ failed: 19 }, 'NODE_FAIL'],
    [{ failed: 21 }, 'NODE_FAIL'],
    [{ failed: 100, exitStatus: 0, startAt: null, endAt: null }, 'CANCELLED'],
    [{ failed: 26, startAt: null, endAt: null }, 'FAILED'],
  ])('%j is %s', (change, outcome) => expect(outcomeOf({ ...ENTRY, ...change })).toBe(outcome));

  test('a run that was not the last has no outcome', () => {
    expect(() => outcomeOf({ ...ENTRY, failed: 25 })).toThrow('invariant broken');
  });

  test('of several runs the last one counts', () => {
    const runs = [
      { ...ENTRY, failed: 25 },
      { ...ENTRY, exitStatus: 2 },
    ];
    expect(outcomeOf(lastRuns(runs).get('1') as AccountingEntry)).toBe('FAILED');
  });

  test('an end never comes before its beginning, whatever the line says', () => {
    const moment = fc.option(fc.integer({ min: 1, max: 2_000_000_000 }));
    fc.assert(
      fc.property(
        moment,
        moment,
        fc.integer({ min: 0, max: 100 }),
        fc.nat(255),
        (submitAt, startAt, failed, exitStatus) => {
          const endAt = startAt === null ? null : startAt + 5;
          const job = endOf({ ...ENTRY, submitAt, startAt, endAt, failed, exitStatus }, 7);
          expect(job.endAt).toBeGreaterThanOrEqual(job.startAt ?? job.submittedAt);
        },
      ),
    );
  });
});

describe('a page of the file', () => {
  test('is whole, or there is more, or it broke off', () => {
    expect(readAccountingPage('a\nb\n# gridcast end\n')).toEqual({ lines: 'a\nb\n', isWhole: true });
    expect(readAccountingPage('a\n# gridcast more\n')).toEqual({ lines: 'a\n', isWhole: false });
    expect(() => readAccountingPage('a\nb\n')).toThrow('broke off');
  });
});
