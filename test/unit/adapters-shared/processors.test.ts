import { execFileSync, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { nativeScript as ofCell } from '../../../adapters/gridengine/native-script.ts';
import { scriptCommand } from '../../../adapters/oar/script-command.ts';
import { wrapJob } from '../../../adapters/shared/self-contained.ts';
import { nativeScript } from '../../../adapters/slurm/native-script.ts';
import { withHoldPreamble } from '../../../src/plan/hold-preamble.ts';

const script = '#!/bin/sh\nprintf %s "$GRIDCAST_PROCESSORS $1"\n';
const spec = { name: 'n', script, arguments: ['x y'], processors: 12, walltimeSeconds: 60, queue: null };
const run = (text: string) => execFileSync('/bin/sh', ['-c', text], { encoding: 'utf8' });

test('a job finds in its environment how many processors it was given, whatever hands it over', () => {
  expect(run(wrapJob(spec))).toBe('12 x y');
  expect(run(nativeScript(spec))).toBe('12 x y');
  expect(run(scriptCommand(spec))).toBe('12 x y');
});

test('a held one finds them, too', () => {
  expect(run(nativeScript({ ...spec, script: withHoldPreamble(script, 0) }))).toBe('12 x y');
});

test('a script with carriage returns finds them, too', () => {
  expect(run(nativeScript({ ...spec, script: `${script}# a comment of DOS\r\n` }))).toBe('12 x y');
});

test('a job finds the variables that it asks for, whatever is in them, and the wrapper does not', () => {
  const environment = { PATH: '/nowhere', ODD: `'"$(touch /x)\r\n#SBATCH --array=1-3\n\\ `, GRIDCAST_PROCESSORS: '0' };
  const tells = '#!/bin/sh\nprintf "%s|%s|%s" "$PATH" "$ODD" "$GRIDCAST_PROCESSORS"\n';
  expect(run(nativeScript({ ...spec, script: tells, environment }))).toBe(`/nowhere|${environment.ODD}|12`);
});

const native = { nativeScript, ofCell, ofOar: scriptCommand };

test.each(Object.entries(native))('a job begins in the folder that it asks for: %s', (_, textOf) => {
  expect(run(textOf({ ...spec, script: '#!/bin/sh\npwd\n', workFolder: '/usr/share' }))).toBe('/usr/share\n');
});

test.each(Object.entries(native))('in another one it does not begin, and says why: %s', (_, textOf) => {
  const text = textOf({ ...spec, script: '#!/bin/sh\necho ran\n', workFolder: "/nowhere/o'x" });
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', text], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 125, stdout: '' });
  expect(stderr).toMatch(/cd: .*\/nowhere\/o'x/);
});

test.each(['', '1A', 'A B', 'A=B', 'A;touch x', 'ÄÖ', 'UID'])('no variable is called %j', (name) => {
  expect(() => wrapJob({ ...spec, environment: { [name]: 'x' } })).toThrow(/^environment has a variable/);
});
