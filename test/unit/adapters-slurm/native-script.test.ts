import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nativeScript } from '../../../adapters/slurm/native-script.ts';

const spec = { name: 'n', processors: 1, walltimeSeconds: 60, queue: null };
const text = fc.string({ unit: 'binary', maxLength: 60 }).map((drawn) => drawn.replaceAll('\0', ''));
const run = (script: string) => spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' });

/** A script with orders for sbatch that prints its arguments and itself. */
const TELL = '#!/bin/sh\n#SBATCH --ntasks=99\nfor word in "$@"; do printf "%s\\0" "$word"; done\ncat "$0"\nexit 0\n';

describe('the script that Slurm is given', () => {
  test('takes away what the submission left for srun, and runs where it was handed in', () => {
    const script = '#!/bin/sh\necho "${SLURM_EXPORT_ENV-none} ${SLURM_GET_USER_ENV-none} $SLURM_SUBMIT_DIR"\n';
    const native = nativeScript({ ...spec, script, arguments: [] });
    const env = { ...process.env, SLURM_EXPORT_ENV: 'NONE', SLURM_GET_USER_ENV: '1', SLURM_SUBMIT_DIR: '/elsewhere' };
    expect(spawnSync('/bin/sh', ['-c', native], { encoding: 'utf8', env, cwd: '/' }).stdout).toBe('none none /\n');
  });

  test("never has directives or DOS line ends, and runs the job's own with its arguments", () => {
    fc.assert(
      fc.property(text, fc.array(text, { maxLength: 3 }), (rest, words) => {
        const script = `${TELL}${rest}\n`;
        const native = nativeScript({ ...spec, script, arguments: words });
        expect(native.split('\n')[1]).toMatch(/^[a-z]/);
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

  test('that begins with a line of DOS and names no interpreter runs as the others do', () => {
    const native = nativeScript({ ...spec, script: 'echo a # of DOS\r\nexit 7\n', arguments: [] });
    expect(native).not.toContain('\r\n');
    expect(run(native)).toMatchObject({ stdout: 'a\n', status: 7 });
  });
});
