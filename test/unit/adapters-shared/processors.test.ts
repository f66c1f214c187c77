import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
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
