import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { endedJobs, logsCommand, parseRecords } from '../../../adapters/pbs/accounting-logs.ts';
import { parseJson, parseNodes, parseText, parseWords } from '../../../adapters/pbs/attributes.ts';
import { asRunning } from '../../../adapters/pbs/listed-jobs.ts';
import { nativeJobOf, outcomeOf } from '../../../adapters/pbs/outcome.ts';
import { jobsOf, nodesOf, type PbsJob, parseDuration } from '../../../adapters/pbs/parse.ts';
import { processorRequest } from '../../../adapters/pbs/processor-request.ts';

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/pbs/${name}`, import.meta.url), 'utf8');
}

const END = '# gridcast end\n';
const at = (text: string) => Date.parse(`${text}Z`) / 1000;

describe('qstat -F json', () => {
  const jobs = jobsOf(parseJson(fixture('openpbs-jobs.json'), 'Jobs'));

  test('a running job, although a variable of its has a line feed in it', () => {
    expect(jobs[0]).toEqual({
      nativeId: '101.pbs',
      name: 'gridcast.gc-11111111111111111111111111111111-1',
      user: 'alice',
      queue: 'workq',
      phase: 'RUNNING',
      isSuspended: false,
      processors: 4,
      requestedWalltimeSeconds: 3600,
      submitAt: at('2022-10-04T19:23:20'),
      startAt: at('2022-10-04T19:23:31'),
      endAt: null,
      exitStatus: null,
      usedWalltimeSeconds: 13,
      wasDeleted: false,
      comment: 'Job run at Tue Oct 04 at 19:23 on (node1:ncpus=2)+(node2:ncpus=2)',
      estimatedStartAt: null,
      account: null,
      group: null,
      workFolder: '/home/alice',
      use: { cpuSeconds: 0, memoryBytes: null, readBytes: null, writtenBytes: null },
    });
  });

  test('a held job waits, and without a limit none is known', () => {
    expect(jobs[1]).toMatchObject({ phase: 'WAITING', requestedWalltimeSeconds: null, startAt: null });
  });

  test('an array that has begun runs', () =>
    expect(jobs[2]).toMatchObject({ nativeId: '103[].pbs', phase: 'RUNNING' }));

  test.each([
    ['90.pbs', 'COMPLETED', 0, at('2022-10-04T18:00:15')],
    ['91.pbs', 'FAILED', 3, at('2022-10-04T18:00:06')],
    ['92.pbs', 'CANCELLED', null, at('2022-10-04T18:00:46')],
    ['93.pbs', 'TIMEOUT', null, at('2022-10-04T18:10:10')],
    ['94.pbs', 'CANCELLED', null, at('2022-10-04T18:00:30')],
  ])('%s ended as %s', (nativeId, outcome, exitCode, endAt) => {
    const finished = jobsOf(parseJson(fixture('openpbs-finished.json'), 'Jobs'));
    const job = finished.find((candidate) => candidate.nativeId === nativeId) as PbsJob;
    expect(nativeJobOf(job, 'openpbs')).toMatchObject({ state: 'ENDED', outcome, exitCode, endAt });
  });

  test('an answer without jobs is none, no answer is an error, an unknown state is left out', () => {
    expect(parseJson('{"timestamp":1,"pbs_version":"22.05.11","pbs_server":"pbs"}', 'Jobs').size).toBe(0);
    expect(() => parseJson('', 'Jobs')).toThrow();
    expect(() => parseJson(fixture('openpbs-jobs.json').slice(0, 900), 'Jobs')).toThrow();
    expect(
      jobsOf(
        new Map([
          [
            '1.pbs',
            new Map([
              ['job_state', '?'],
              ['ctime', '5'],
            ]),
          ],
        ]),
      ),
    ).toEqual([]);
  });
});

describe('qstat -f of Torque', () => {
  const jobs = jobsOf(parseText(fixture('torque-jobs.txt')));

  test.each([
    ['R', undefined],
    ['S', 'Job suspended by root'],
    ['U', 'Job suspended by root'],
  ])('a running job in the state %s has the reason %s', (letter, reason) => {
    const [running] = jobsOf(parseText(fixture('torque-jobs.txt').replace('job_state = R', `job_state = ${letter}`)));
    const [shown] = asRunning({ ...(running as PbsJob), comment: 'Job suspended by root' });
    expect(shown?.reason).toBe(reason);
    const [silent] = asRunning({ ...(running as PbsJob), comment: null });
    expect(silent?.reason).toBe(reason && 'suspended');
  });

  test('running, queued and complete, with names that are folded', () => {
    expect(jobs.map(({ nativeId, phase, processors }) => [nativeId, phase, processors])).toEqual([
      ['7.torque', 'RUNNING', 8],
      ['8.torque', 'WAITING', 12],
      ['6.torque', 'ENDED', 1],
    ]);
    expect(jobs[0]).toMatchObject({ startAt: at('2014-08-26T23:07:50'), requestedWalltimeSeconds: 3600 });
    expect(jobs[1]?.name).toBe('a long name that is folded');
    expect(nativeJobOf(jobs[2] as PbsJob, 'torque')).toMatchObject({ outcome: 'COMPLETED', exitCode: 0 });
  });
});

describe('nodes', () => {
  test('OpenPBS: what is down is not in service', () => {
    expect(nodesOf(parseJson(fixture('openpbs-nodes.json'), 'nodes'))).toMatchObject([
      { processors: 8, usedProcessors: 2, inService: 8, freeProcessors: 6 },
      { processors: 2, usedProcessors: 2, inService: 2, freeProcessors: 0 },
      { processors: 8, usedProcessors: 0, inService: 0, freeProcessors: 0 },
    ]);
  });

  test('Torque', () => {
    expect(nodesOf(parseNodes(fixture('torque-nodes.txt')))).toMatchObject([
      { processors: 8, usedProcessors: 6, inService: 8, freeProcessors: 2 },
      { processors: 4, usedProcessors: 0, inService: 0, freeProcessors: 0 },
    ]);
  });

  test.each([
    ['free', 8, 5],
    ['offline', 3, 0],
    ['job-exclusive,offline', 3, 0],
    ['maintenance', 3, 0],
    ['down,offline', 0, 0],
    ['state-unknown,down', 0, 0],
    ['sleep', 0, 0],
  ])('of eight processors, three in use, on a node that is %s: %i in service, %i free', (state, inService, free) => {
    const node = new Map(Object.entries({ state, np: '8', jobs: '0-2/7.torque' }));
    const takesJobs = free > 0;
    expect(nodesOf(new Map([['n', node]]))).toMatchObject([{ inService, freeProcessors: free, takesJobs }]);
  });
});

describe('accounting logs', () => {
  const torque = endedJobs(parseRecords(fixture('accounting-torque.txt') + END, 'UTC'));

  test('an end record tells everything', () => {
    expect(torque[0]).toEqual({
      nativeId: '11923.torque',
      name: 'gridcast.gc-33333333333333333333333333333333-1',
      user: 'alice',
      queue: 'batch',
      phase: 'ENDED',
      isSuspended: false,
      processors: 4,
      requestedWalltimeSeconds: 600,
      submitAt: 1409094464,
      startAt: 1409094470,
      endAt: 1409094484,
      exitStatus: 2,
      usedWalltimeSeconds: 14,
      wasDeleted: false,
      comment: null,
      estimatedStartAt: null,
      account: null,
      group: 'company',
      workFolder: null,
      use: { cpuSeconds: 0, memoryBytes: null, readBytes: null, writtenBytes: null },
    });
  });

  test('a job deleted in the queue has ended without ever having started', () => {
    expect(torque.map(({ nativeId }) => nativeId)).toEqual(['11923.torque', '11924.torque', '11925.torque']);
    expect(nativeJobOf(torque[1] as PbsJob, 'torque')).toMatchObject({
      outcome: 'CANCELLED',
      startAt: null,
      submittedAt: at('2014-08-26T23:09:00'),
      endAt: at('2014-08-26T23:09:30'),
    });
  });

  test('a job deleted while it ran was cancelled, one that has only started has not ended', () => {
    expect(outcomeOf(torque[2] as PbsJob, 'torque')).toBe('CANCELLED');
    expect(torque.some(({ nativeId }) => nativeId === '11926.torque')).toBe(false);
  });

  test("OpenPBS: quoted values, and the server's own status for a walltime that is over", () => {
    const [job] = endedJobs(parseRecords(fixture('accounting-openpbs.txt') + END, 'UTC'));
    expect(job).toMatchObject({ processors: 2, exitStatus: -29, endAt: 1664912020 });
    expect(outcomeOf(job as PbsJob, 'openpbs')).toBe('TIMEOUT');
  });

  test("the server's zone counts where only its own clock is told", () => {
    const [, deleted] = endedJobs(parseRecords(fixture('accounting-torque.txt') + END, 'Europe/Berlin'));
    expect(deleted?.endAt).toBe(at('2014-08-26T21:09:30'));
  });

  test('logs that break off are no answer', () => {
    expect(() => parseRecords(fixture('accounting-torque.txt'), 'UTC')).toThrow('broke off');
  });

  test('the command prints the days from a moment on, and fails when the folder is not there', () => {
    const folder = fileURLToPath(new URL('./logs', import.meta.url));
    execFileSync('mkdir', ['-p', folder]);
    try {
      for (const day of ['20140825', '20140826', '20140901']) {
        execFileSync('sh', ['-c', `echo "08/26/2014 00:00:00;E;${day}.t;x=1" > "$1"`, 'sh', `${folder}/${day}`]);
      }
      const [program, ...words] = logsCommand(folder, at('2014-08-27T12:00:00')).argv;
      const records = parseRecords(execFileSync(program, words, { encoding: 'utf8' }), 'UTC');
      expect(records.map(({ nativeId }) => nativeId)).toEqual(['20140826.t', '20140901.t']);
    } finally {
      execFileSync('rm', ['-r', folder]);
    }
    const [program, ...words] = logsCommand('/nonexistent', 0).argv;
    expect(() => execFileSync(program, words, { stdio: 'pipe' })).toThrow();
  });

  test('words with blanks between quotes stay whole', () => {
    const word = fc.stringMatching(/^[^"\\\n]*$/);
    fc.assert(
      fc.property(word, fc.stringMatching(/^[^\s"=]+$/), (quoted, plain) => {
        const words = parseWords(`a="${quoted}" b.c=${plain} d=1`);
        expect([words.get('a'), words.get('b.c'), words.get('d')]).toEqual([quoted, plain, '1']);
      }),
    );
  });
});

describe('how a job ended', () => {
  const [JOB] = jobsOf(parseJson(fixture('openpbs-finished.json'), 'Jobs')) as [PbsJob];
  test.each<[Partial<PbsJob>, 'openpbs' | 'torque', string]>([
    [{ exitStatus: 1 }, 'openpbs', 'FAILED'],
    [{ exitStatus: 265 }, 'openpbs', 'FAILED'],
    [{ exitStatus: 265, wasDeleted: true }, 'openpbs', 'CANCELLED'],
    [{ exitStatus: 271, usedWalltimeSeconds: 601 }, 'torque', 'TIMEOUT'],
    [{ exitStatus: -27 }, 'openpbs', 'OUT_OF_MEMORY'],
    [{ exitStatus: -10 }, 'torque', 'OUT_OF_MEMORY'],
    [{ exitStatus: -11 }, 'torque', 'TIMEOUT'],
    [{ exitStatus: -11 }, 'openpbs', 'FAILED'],
    [{ exitStatus: -4 }, 'openpbs', 'NODE_FAIL'],
    [{ exitStatus: -1 }, 'torque', 'FAILED'],
    [{ exitStatus: null, startAt: null }, 'torque', 'CANCELLED'],
  ])('%j in %s is %s', (change, dialect, outcome) => expect(outcomeOf({ ...JOB, ...change }, dialect)).toBe(outcome));
});

describe('small formats', () => {
  test.each([
    ['00:10:00', 600],
    ['48:00:00', 172_800],
    ['90', 90],
    ['1:00:00:00', 86_400],
    ['', null],
    ['unlimited', null],
    [undefined, null],
  ])('the duration %j', (text, seconds) => expect(parseDuration(text)).toBe(seconds));

  test.each([
    [1, 8, 'select=1:ncpus=1', 'nodes=1:ppn=1'],
    [8, 8, 'select=1:ncpus=8', 'nodes=1:ppn=8'],
    [24, 8, 'select=3:ncpus=8', 'nodes=3:ppn=8'],
    [13, 8, 'select=13:ncpus=1', 'procs=13'],
  ])('%i processors on nodes of %i', (processors, perNode, openpbs, torque) => {
    expect(processorRequest('openpbs', { processors }, perNode)).toBe(openpbs);
    expect(processorRequest('torque', { processors }, perNode)).toBe(torque);
  });
});
