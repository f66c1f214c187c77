import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasDirectives, nativeScript } from '../../../adapters/slurm/native-script.ts';

const spec = { name: 'n', processors: 1, walltimeSeconds: 60, queue: null };
const text = fc.string({ unit: 'binary', maxLength: 60 }).map((drawn) => drawn.replaceAll('\0', ''));
const run = (script: string) => spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' });

/** A script with orders for sbatch that prints its arguments and itself. */
const TELL = '#!/bin/sh\n#SBATCH --ntasks=99\nfor word in "$@"; do printf "%s\\0" "$word"; done\ncat "$0"\nexit 0\n';

describe('what sbatch takes orders from', () => {
  test.each([
    ['#!/bin/sh\n#SBATCH -n 9\ntrue\n', true],
    ['#!/bin/sh\n\n# hello\n  # there\n#SBATCH -n 9', true],
    ['#!/bin/sh\n#PBS -l nodes=9\n', true],
    ['#!/bin/sh\n#BSUB -n 9\n', true],
    ['#!/bin/sh\ntrue\n#SBATCH -n 9\n', false],
    ['#!/bin/sh\n #SBATCH -n 9\n', false],
    ['#!/bin/sh\n##SBATCH -n 9\n', false],
    ['', false],
  ])('%j', (script, expected) => {
    expect(hasDirectives(script)).toBe(expected);
  });
});

describe('the script that Slurm is given', () => {
  test("is the job's own where that is safe", () => {
    const script = '#!/bin/sh\necho "#SBATCH -n 9"\n';
    expect(nativeScript({ ...spec, script, arguments: [] })).toBe(script);
  });

  test("never has directives or DOS line ends, and runs the job's own with its arguments", () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (rest, words) => {
        const script = `${TELL}${rest}\n`;
        const native = nativeScript({ ...spec, script, arguments: words });
        expect(hasDirectives(native)).toBe(false);
        expect(native).not.toContain('\r\n');
        expect(run(native).stdout.split('\0')).toEqual([...words, script]);
      }),
      { numRuns: 30 },
    );
  });

  test('ends as the job does', () => {
    const native = nativeScript({ ...spec, script: '#!/bin/sh\n#SBATCH -n 2\nexit "$1"\n', arguments: ['7'] });
    expect(run(native).status).toBe(7);
  });

  test('for another operating system is left to be refused', () => {
    const script = '#!/bin/sh\r\ntrue\r\n';
    expect(nativeScript({ ...spec, script, arguments: [] })).toBe(script);
  });
});
