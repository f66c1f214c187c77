import { spawn, spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { nativeScript, scriptStatus } from '../../../adapters/gridengine/native-script.ts';

const spec = { name: 'n', script: '', arguments: [], processors: 2, walltimeSeconds: 60, queue: null };
const run = (script: string, words: string[] = []) =>
  spawnSync('/bin/sh', ['-c', nativeScript({ ...spec, script, arguments: words })], { encoding: 'utf8' });

test.each(['#!/bin/sh\n', '#!/bin/bash\n'])('no exit status of a script is a command to the cell: %j', (head) => {
  for (const status of [0, 1, 3, 98, 99, 100, 101, 127, 137, 255]) {
    const told = run(`${head}exit ${status}\n`).status as number;
    expect([99, 100]).not.toContain(told);
    expect(scriptStatus(told)).toBe(status);
  }
});

test.each(['#!/bin/sh\n', '#!/bin/bash\n'])('a signal that ends a script is told by its number: %j', (head) => {
  for (const [signal, number] of Object.entries({ KILL: 9, TERM: 15, SEGV: 11, USR2: 12 })) {
    const { status, stdout, stderr } = run(`${head}kill -${signal} $$\n`);
    expect({ status, stdout, stderr }).toEqual({ status: 128 + number, stdout: '', stderr: '' });
  }
});

test('what a script reads, writes and is given is its own', () => {
  const script = '#!/bin/bash\ncat; echo "$GRIDCAST_PROCESSORS <$1>"; echo e >&2; : >&8 || echo closed\n';
  const text = nativeScript({ ...spec, script, arguments: ["a 'b' $HOME\n"] });
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', text], { encoding: 'utf8', input: 'in\n' });
  expect(stdout).toBe("in\n2 <a 'b' $HOME\n>\nclosed\n");
  expect(stderr).toMatch(/^e\n.*8: Bad file descriptor\n$/);
  expect(status).toBe(0);
  expect(run('#!/no/such/interpreter\n')).toMatchObject({ status: 127, stderr: expect.stringContaining('not found') });
});

test.each([
  '#!/bin/sh\n',
  '#!/bin/bash\n',
])('a signal to all of its processes is the script’s to answer: %j', async (head) => {
  const script = `${head}trap 'echo soft; exit 99' USR1\necho ready\nwhile :; do sleep 0.1; done\n`;
  const job = spawn('/bin/sh', ['-c', nativeScript({ ...spec, script })], { detached: true });
  let said = '';
  job.stdout.on('data', (bytes) => {
    said += bytes;
    if (said === 'ready\n') process.kill(-(job.pid as number), 'SIGUSR1');
  });
  const status = await new Promise<number | null>((resolve) => job.on('close', resolve));
  expect({ said, status: scriptStatus(status as number) }).toEqual({ said: 'ready\nsoft\n', status: 99 });
});
