import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { honourDirectives, judgeDirectives } from '../../../src/domain/directives/judge-directives.ts';
import { MOST_DIRECTIVES, readDirectives } from '../../../src/domain/directives/read-directives.ts';
import { requestOf } from '../../../src/domain/directives/request.ts';

const asked = (...lines: string[]) =>
  requestOf(readDirectives(['#!/bin/bash', ...lines, 'true', ''].join('\n'))).request;
const warnings = (script: string) => readDirectives(script).map(({ warning }) => warning);

describe('what directives ask for', () => {
  test.each([
    ['#SBATCH -n 8', { processors: 8, resources: { tasks: 8 } }],
    ['#SBATCH -n2 --cpus-per-task=4', { processors: 8, resources: { tasks: 2, processorsPerTask: 4 } }],
    ['#SBATCH -N 2 --ntasks-per-node 3', { processors: 6, resources: { nodes: 2, tasksPerNode: 3 } }],
    ['#SBATCH --time=1-12', { walltimeSeconds: 129_600 }],
    ['#SBATCH -t 90', { walltimeSeconds: 5400 }],
    ['#SBATCH -t 1:30', { walltimeSeconds: 90 }],
    ['#SBATCH --mem=4G', { resources: { memoryPerNodeMebibytes: 4096 } }],
    ['#SBATCH --mem-per-cpu=500', { resources: { memoryPerProcessorMebibytes: 500 } }],
    ['#SBATCH -N2 --gres=gpu:a100:2', { processors: 2, resources: { nodes: 2, gpus: 4, gpuKind: 'a100' } }],
    ['#SBATCH -G 3', { resources: { gpus: 3 } }],
    ['#SBATCH -C "fast&big" --exclusive', { resources: { constraints: ['fast', 'big'], exclusive: true } }],
    [
      '#SBATCH -L matlab:2,ansys',
      {
        resources: {
          licences: [
            { name: 'matlab', count: 2 },
            { name: 'ansys', count: 1 },
          ],
        },
      },
    ],
    ['#SBATCH -A phys --qos high', { account: 'phys', qos: 'high' }],
    ['#SBATCH --export=ALL,A=1,B="x y"', { environment: { A: '1', B: 'x y' } }],
    ['#SBATCH --mail-user=a@b.c --mail-type=END,FAIL', { mail: { address: 'a@b.c', events: ['END', 'FAIL'] } }],
    ['#SBATCH --ntasks-per-n=2', { processors: 2, resources: { tasksPerNode: 2 } }],
    [
      '#PBS -l nodes=2:ppn=4,walltime=2:00:00',
      { processors: 8, walltimeSeconds: 7200, resources: { nodes: 2, tasksPerNode: 4 } },
    ],
    [
      '#PBS -l select=2:ncpus=8:mpiprocs=4:mem=16gb -l place=scatter:excl',
      {
        processors: 16,
        resources: { nodes: 2, tasksPerNode: 4, processorsPerTask: 2, memoryPerNodeMebibytes: 16_384, exclusive: true },
      },
    ],
    ['#PBS -l nodes=2,mem=3gb', { processors: 2, resources: { nodes: 2, memoryPerNodeMebibytes: 1536 } }],
    [
      '#PBS -N name -q long -A acc -m abe -M a@b.c',
      {
        name: 'name',
        queue: 'long',
        account: 'acc',
        mail: { address: 'a@b.c', events: ['FAIL', 'BEGIN', 'END'] },
      },
    ],
    [
      '#$ -pe mpi 16 -l h_rt=1:00:00,h_vmem=2G',
      { processors: 16, walltimeSeconds: 3600, resources: { memoryPerProcessorMebibytes: 2048 } },
    ],
    [
      '#$ -l exclusive -l gpu=2 -P proj -wd /data',
      { resources: { exclusive: true, gpus: 2 }, account: 'proj', workFolder: '/data' },
    ],
    ['#$ -l gpu', { resources: { gpus: 1 } }],
    ['#$ -l h_rt=::30', { walltimeSeconds: 30 }],
    ['#OAR -l /nodes=2/core=4,walltime=1:30:0', { processors: 8, walltimeSeconds: 5400, resources: { nodes: 2 } }],
    ['#OAR -n two words', { name: 'two words' }],
    [`#OAR -p "gpu_ok = 'YES' AND fast=1"`, { resources: { constraints: ['gpu_ok', 'fast'] } }],
    ['#OAR --notify mail:me@x.org', { mail: { address: 'me@x.org', events: ['BEGIN', 'END', 'FAIL'] } }],
  ])('%s', (line, request) => {
    expect(asked(line)).toEqual(request);
  });

  test('of one that is given twice the last counts, and the first says so', () => {
    expect(asked('#SBATCH --mem=1G', '#SBATCH --mem-per-cpu=2G')).toEqual({
      resources: { memoryPerProcessorMebibytes: 2048 },
    });
    const [first] = judgeDirectives('#SBATCH -t 5\n#SBATCH -t 6\n', {});
    expect(first).toMatchObject({ isHonoured: false, warning: 'a later directive replaces it' });
  });
});

describe('which lines are read', () => {
  test('none after the first command for Slurm and PBS, every one for Grid Engine and OAR', () => {
    const script = '#!/bin/sh\n\n  # note\n#SBATCH -n 2\necho\n#SBATCH -n 4\n#PBS -N x\n#$ -N y\n#OAR -n z\n';
    expect(readDirectives(script).map(({ line, wish }) => [line, wish?.value])).toEqual([
      [4, 2],
      [6, undefined],
      [7, undefined],
      [8, 'y'],
      [9, 'z'],
    ]);
    expect(warnings(script)[1]).toContain('after the first command');
  });

  test('comments of the kind are none', () => {
    const script = '##SBATCH -n 2\n# SBATCH -n 2\n#sbatch -n 2\n#SBATCHES\n#$HOME is set\n#OARS\n #PBS -N x\n';
    expect(readDirectives(script)).toEqual([]);
  });

  test('line ends of Windows and text from right to left are as any', () => {
    expect(readDirectives('#!/bin/sh\r\n#SBATCH --job-name="שלום עולם"\r\n')[0]).toMatchObject({
      line: 2,
      wish: { of: 'name', value: 'שלום עולם' },
      warning: null,
    });
  });

  test.each([
    ['#SBATCH --frobnicate=3', 'no such option of sbatch: "--frobnicate=3"'],
    ['#SBATCH --frobnicate 3 -n 2', 'no such option of sbatch: "--frobnicate 3"'],
    ['#SBATCH --nodes=two', '"two" is no whole number above 0'],
    ['#SBATCH -N 2-4', '"2-4" is no whole number above 0'],
    ['#SBATCH -n -5', '"-5" is no whole number'],
    ['#SBATCH -t 0', '"0" is no walltime'],
    ['#SBATCH --mem=lots', '"lots" is no amount'],
    ['#SBATCH -J "open', 'quote is not closed'],
    ['#SBATCH', 'holds no option'],
    ['#SBATCH --time', 'has no value'],
    ['#SBATCH words alone', '"words" is no option'],
    ['#SBATCH -o out.%j', 'output files of its own'],
    ['#SBATCH -a 1-10', 'asked of Gridcast'],
    ['#SBATCH --export=ALL,HOME', 'state their values'],
    ['#PBS -l nodes=1:ppn=2+1:ppn=4', 'nodes of one kind'],
    ['#PBS -W depend=afterok:1', 'ids of Gridcast'],
    ['#$ -pe mpi 2-8', '"2-8" is no whole number'],
    ['#$ -cwd', 'state workFolder'],
    ['#OAR -p cores > 4', 'not conditions'],
  ])('%s is named with its reason', (line, warning) => {
    const found = readDirectives(`${line}\n`);
    expect(found.map((one) => one.warning).join(' ')).toContain(warning);
    expect(found.every((one) => one.line === 1 && one.text.length <= 130)).toBe(true);
  });

  test('what is too much is bounded and says so', () => {
    const many = '#SBATCH -n 2\n'.repeat(5000);
    expect(readDirectives(many)).toHaveLength(MOST_DIRECTIVES + 1);
    expect(warnings(many).at(-1)).toContain('4499 lines after it');
    const long = `#SBATCH -J ${'x'.repeat(65_536)}\n#$ ${'-N x '.repeat(800)}\n`;
    expect(warnings(long)[0]).toContain('65547 characters');
    expect(readDirectives(long)).toHaveLength(MOST_DIRECTIVES + 1);
  });
});

describe('directives beside what is stated', () => {
  const script = '#!/bin/sh\n#SBATCH -n 4 --mem=2G\n#SBATCH -o out\ntrue\n';

  test('each that the job does not ask for is named with its remedy', () => {
    const stated = { processors: 4, resources: { tasks: 4 } };
    expect(
      judgeDirectives(script, stated).map(({ request, value, isHonoured, warning }) => ({
        request,
        value,
        isHonoured,
        warning,
      })),
    ).toEqual([
      { request: 'resources.tasks', value: '4', isHonoured: true, warning: null },
      {
        request: 'resources.memoryPerNodeMebibytes',
        value: '2048',
        isHonoured: false,
        warning: 'not honoured: state resources.memoryPerNodeMebibytes: 2048, or ask for directives: HONOUR',
      },
      { request: null, value: null, isHonoured: false, warning: 'every job has output files of its own in Gridcast' },
    ]);
  });

  test('honoured they are what the job asks for, unless a field says otherwise', () => {
    const { request, contradictions } = honourDirectives(script, { name: 'a', resources: { exclusive: true } });
    const resources = { tasks: 4, memoryPerNodeMebibytes: 2048, exclusive: true };
    expect(request).toEqual({ name: 'a', processors: 4, resources });
    expect(contradictions).toEqual([]);
    expect(judgeDirectives(script, request).map(({ isHonoured }) => isHonoured)).toEqual([true, true, false]);
    expect(honourDirectives(script, { processors: 2 }).contradictions).toEqual([
      {
        field: 'processors',
        message: 'processors is 2, and of the script line 2 (#SBATCH -n 4) asks for 4; leave one of them out',
      },
    ]);
  });

  test('lines for two systems that contradict each other are told', () => {
    const both = '#SBATCH -t 10\n#PBS -l walltime=600\n#PBS -N one\n#$ -N two\n';
    expect(honourDirectives(both, {}).contradictions).toEqual([
      {
        field: 'script',
        message:
          'of the script line 3 (#PBS -N one) asks for name "one", line 4 (#$ -N two) for "two"; leave one of them out',
      },
    ]);
  });
});

describe('whatever a script holds', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '#SBATCH ',
      '#PBS ',
      '#$ ',
      '#OAR ',
      '-n ',
      '--mem=',
      '-l ',
      'select=',
      '"',
      "'",
      '\\',
      '\r\n',
      '\n',
      ',',
      ':',
      '=',
      '2',
      '-pe x ',
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
  const script = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

  test('every directive line is in the answer, bounded, and honoured it contradicts nothing of itself', () => {
    fc.assert(
      fc.property(script, (text) => {
        const found = readDirectives(text);
        const lines = text
          .split('\n')
          .flatMap((line, index) => (/^#(?:SBATCH|PBS|OAR)(?=\s|$)/.test(line.replace(/\r$/, '')) ? [index + 1] : []));
        expect(lines.filter((line) => !found.some((one) => one.line === line))).toEqual([]);
        expect(
          found.every(
            (one) => one.text.length <= 140 && (one.wish !== null) === (one.wish !== null && one.warning === null),
          ),
        ).toBe(true);
        const { request, contradictions } = honourDirectives(text, {});
        expect(contradictions.filter(({ field }) => field !== 'script')).toEqual([]);
        expect(honourDirectives(text, request).contradictions.filter(({ field }) => field !== 'script')).toEqual([]);
        for (const one of judgeDirectives(text, request)) expect(one.isHonoured || one.warning !== null).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('numbers are read as they were written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.integer({ min: 1, max: 99 }), (tasks, hours) => {
        const request = { processors: tasks, walltimeSeconds: hours * 3600, resources: { tasks } };
        expect(asked(`#SBATCH --ntasks=${tasks}`, `#SBATCH -t ${hours}:00:00`)).toEqual(request);
        expect(asked(`#$ -pe x ${tasks} -l h_rt=${hours * 3600}`)).toEqual({ ...request, resources: undefined });
      }),
    );
  });
});

test('one task is what a job has that asks for none', () => {
  const judged = judgeDirectives('#SBATCH -n 1\n', { processors: 1 });
  expect(judged).toMatchObject([{ request: 'resources.tasks', isHonoured: true, warning: null }]);
  expect(judgeDirectives('#SBATCH -n 4\n', { processors: 4 })[0]?.isHonoured).toBe(false);
});
