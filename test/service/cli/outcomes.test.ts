import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliWorld, createCliWorld } from './cli-world.ts';

const ENTRY = fileURLToPath(new URL('../../../bin/gridcast.mjs', import.meta.url));
const SIZE = ['-n', '2', '-t', '10m'];

let cli: CliWorld;
let script: string;
beforeAll(async () => {
  cli = await createCliWorld();
  script = cli.write('fold.sh', '#!/bin/sh\nsleep 60\n');
});
afterAll(() => cli.close());

/** Runs a command as a process of its own, with a standard input. */
async function spawnCli(input: string, ...args: string[]) {
  const command = [ENTRY, ...args, '--url', cli.url, '--token', cli.token];
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(input);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, exitCode };
}

describe('watch', () => {
  test('a job that fails is told line by line and ends with 4', async () => {
    const failing = cli.write('fails.sh', '#!/bin/sh\nsleep 30\nexit 3\n');
    const { id } = (await cli.gridcast('submit', failing, ...SIZE, '--json')).json();
    const run = await cli.gridcast('watch', id, '--json');
    expect(run.lines().at(-1)).toMatchObject({ id, state: 'ENDED', outcome: 'FAILED', exitCode: 3 });
    expect(run.lines().filter(({ state }) => state === 'ENDED')).toHaveLength(1);
    expect(run.exitCode).toBe(4);
    const again = await cli.gridcast('watch', id);
    expect(again.exitCode).toBe(4);
    expect(again.stdout).toMatch(/exit code +3/);
  });

  test('a line is there as soon as something has happened', async () => {
    const long = cli.write('long.sh', '#!/bin/sh\nsleep 86000\n');
    const { id } = (await cli.gridcast('submit', long, '-n', '2', '-t', '24h', '--json')).json();
    const command = [ENTRY, 'watch', id, '--json', '--url', cli.url, '--token', cli.token];
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = '';
    child.stdout.on('data', (chunk) => {
      told += chunk;
    });
    await cli.world.until('a first line came', async () => told.includes('\n'));
    expect(JSON.parse(told.split('\n')[0] ?? '')).toMatchObject({ id });
    expect(child.exitCode).toBeNull();
    await cli.gridcast('cancel', id);
    const exitCode = await new Promise((resolve) => child.once('exit', resolve));
    expect(exitCode).toBe(5);
  });
});

describe('an answer that is no ends with 1', () => {
  test('a plan without a site', async () => {
    const run = await cli.gridcast('plan', '-n', '1000', '-t', '1h');
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('no site can take it');
    expect(run.stdout).toMatch(/east .*1000 processors asked for, east has 256/);
    const forPrograms = await cli.gridcast('plan', '-n', '1000', '-t', '1h', '--json');
    expect(forPrograms.exitCode).toBe(1);
    expect(forPrograms.json().chosen).toBeNull();
  });

  test('a dry run that is refused', async () => {
    const asked = ['reserve', script, '-n', '256', '-t', '10m', '--at', '+1h', '-p', '99.9%', '--dry-run'];
    const run = await cli.gridcast(...asked);
    expect(run.exitCode).toBe(1);
    expect(run.stdout).toContain('no promise');
  });
});

test('a script comes from standard input', async () => {
  const run = await spawnCli('#!/bin/sh\nsleep 5\n', 'submit', '-', ...SIZE, '--json');
  expect(run.stderr).toBe('');
  expect(run.exitCode).toBe(0);
  expect(JSON.parse(run.stdout).name).toBe('stdin');
  const empty = await spawnCli('', 'submit', '-', ...SIZE);
  expect(empty.exitCode).toBe(2);
  expect(empty.stderr).toContain('standard input is empty');
});

test('what is printed of a reservation can be pasted back', async () => {
  const at = '2026-06-30T12:00:00Z';
  const asked = ['reserve', script, ...SIZE, '--at', '+6h', '-p', '50 %'];
  const made = await cli.gridcast(...asked);
  expect(made.exitCode).toBe(0);
  const printed = /running at +(\S+)/.exec(made.stdout)?.[1] ?? '';
  expect(printed).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  expect(printed.length).toBe(at.length);
  const again = await cli.gridcast('reserve', script, ...SIZE, '--at', printed, '-p', '50%', '--json');
  expect(again.exitCode).toBe(0);
  expect(Date.parse(again.json().startAt)).toBe(Date.parse(printed));
  const id = /reservation +(\S+)/.exec(made.stdout)?.[1] ?? '';
  for (const reservation of [id, again.json().id]) expect((await cli.gridcast('cancel', reservation)).exitCode).toBe(0);
});

test('a promise and its legs are as large as the directives of their script say, where that is wanted', async () => {
  const told = cli.write('told.sh', '#!/bin/sh\n#SBATCH -n 3\n#SBATCH -t 20\n#SBATCH --exotic=7\nsleep 60\n');
  const at = ['--at', '+6h', '-p', '50%'];
  const reserve = ['reserve', told, ...at];
  const made = await cli.gridcast(...reserve, '--directives', 'honour', '--json');
  expect(made.json()).toMatchObject({ job: { processors: 3, walltimeSeconds: 1200 } });
  expect(made.stderr).toContain('exotic');
  const unsaid = await cli.gridcast(...reserve);
  expect([unsaid.exitCode, unsaid.stderr]).toEqual([2, expect.stringContaining("'-n, --processors <n>'")]);
  const together = ['co-allocate', told, ...at, '--rule', 'any', '--leg', 'site=east', '--leg', 'site=west'];
  const both = await cli.gridcast(...together, '--directives', 'honour', '--json');
  expect(both.exitCode).toBe(0);
  expect((await cli.gridcast(...together)).exitCode).toBe(2);
  for (const { id } of [made.json(), both.json()]) expect((await cli.gridcast('cancel', id)).exitCode).toBe(0);
});

describe('an id may be shortened', () => {
  test('to its end or its beginning, where only one thing has it', async () => {
    const { id } = (await cli.gridcast('submit', script, ...SIZE, '--json')).json();
    const overview = await cli.gridcast('status');
    const shown = new RegExp(`\\b${id.slice(-10)}\\b`);
    expect(overview.stdout).toMatch(shown);
    expect((await cli.gridcast('status', id.slice(-10), '--json')).json().id).toBe(id);
    expect((await cli.gridcast('status', id.slice(0, -2), '--json')).json().id).toBe(id);
  });

  test('an ambiguous one lists the candidates', async () => {
    const ids = [];
    for (const name of ['one', 'two']) {
      ids.push((await cli.gridcast('submit', script, ...SIZE, '--name', name, '--json')).json().id);
    }
    const run = await cli.gridcast('status', 'Sm9iO');
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('"Sm9iO" may be');
    for (const id of ids) expect(run.stderr).toContain(id);
    const none = await cli.gridcast('status', 'zzzzzz');
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toContain('there is no job, reservation or co-allocation "zzzzzz"');
  });
});

test('each task of an array asks for what a job does; all are found, counted, cancelled and waited for', async () => {
  const long = cli.write('task.sh', '#!/bin/sh\nsleep 80000\n');
  const asks = ['--processes', '2', '--memory-per-node', '1G', '--exclude-site', 'west', '--label', 'sweep=one'];
  const array = await cli.gridcast('submit-array', long, '--tasks', '3', '-n', '4', '-t', '24h', ...asks, '--json');
  expect(array).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await cli.gridcast('jobs', '--label', 'sweep=one', '--json')).json()).toMatchObject({ totalCount: 3 });
  const query = '{ jobs(first: 3) { edges { node { name resources { tasks memoryPerNodeMebibytes } } } } }';
  const headers = { authorization: `Bearer ${cli.token}`, 'content-type': 'application/json' };
  const answer = await fetch(cli.url, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const node = { name: 'task.sh', resources: { tasks: 2, memoryPerNodeMebibytes: 1024 } };
  expect(await answer.json()).toEqual({ data: { jobs: { edges: [{ node }, { node }, { node }] } } });
  const alone = await cli.gridcast('cancel', array.json().id);
  expect(alone).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/is a group of jobs.*cancel-jobs --group/s),
  });
  expect((await cli.gridcast('cancel-jobs', '--label', 'sweep=one')).stdout).toMatch(/^3 open jobs are meant/);
  expect(await cli.gridcast('cancel-jobs', '--label', 'sweep=one', '--expect', '2')).toMatchObject({ exitCode: 1 });
  await cli.gridcast('cancel-jobs', '--label', 'sweep=one', '--expect', '3');
  expect(await cli.gridcast('wait', array.json().id)).toMatchObject({ exitCode: 5 });
});
