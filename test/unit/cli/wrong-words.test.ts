import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCli } from '../../service/cli/run-cli.ts';

let folder: string;
const inFolder = (name: string) => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gridcast-words-'));
  writeFileSync(inFolder('job.sh'), '#!/bin/sh\n');
  writeFileSync(inFolder('wide.swf'), '; UnixStartTime: 0\n1 0 10 100 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a value that cannot be', () => {
  test.each([
    [['simulate', '--jobs', '0'], '--jobs', '1 to 2147483647'],
    [['status', '--last', '200'], '--last', '1 to 100'],
    [['forecast', '-n', '1', '-t', '99999999d'], '--walltime', 'no duration'],
    [['plan', '-n', '1', '-t', '1h', '--deadline', 'soon'], '--deadline', 'no moment'],
    [['simulate', '--load', '-1'], '--load', 'above 0'],
    [['walltime', '-n', '1', '--risk', '150%'], '--risk', 'no probability'],
    [['walltime', '-n', '1', '--risk', '-0.1'], '--risk', 'no probability'],
    [['experiment', 'varq', '--cap', '0'], '--cap', 'above 0'],
    [['token', 'create', '--tenant', 't', '--principal', 'p', '--role', 'admin', '--expires', '0'], '--expires', '"0"'],
    [['forecast', '-n', '1', '-t', '1h', '--memory-per-node', '2048T'], '--memory-per-node', 'below 2048T'],
    [['plan', '-n', '1', '-t', '1h', '--at-site', 'east,qos=a,qos=b'], '--at-site', 'qos is told twice'],
    [
      ['co-allocate', 'x', '--rule', 'all', '--at', '+6h', '-p', '0.5', '--leg', 'name=a,name=b'],
      '--leg "name=a,name=b"',
      'name is told twice',
    ],
    [
      ['co-allocate', 'x', '--rule', 'all', '--at', '+6h', '-p', '0.5', '--leg', 'processors=0,walltime=1h'],
      '--leg "processors=0,walltime=1h"',
      'processors',
    ],
  ])('%j is told with its option', async (args, option, why) => {
    const run = await runCli(...args);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(option);
    expect(run.stderr).toContain(why);
  });

  test.each([
    [['--set', 'settings={}', '--tuned', 'tuned.json'], 'parameter settings is told twice, by --set and by --tuned'],
    [['--set', 'share=10', '--share', '50'], 'parameter share is told twice, by --set and by --share'],
    [
      ['--set', 'processors=8', '--processors', '4'],
      'parameter processors is told twice, by --set and by --processors',
    ],
    [['--set', 'every=2', '--set', 'every=3'], 'parameter every is told twice by --set'],
  ])('%j of an experiment is refused, as one of both would be lost', async (args, words) => {
    writeFileSync(inFolder('tuned.json'), '{"predictor":"wait/apq","parameters":{}}');
    const told = args.map((arg) => (arg === 'tuned.json' ? inFolder(arg) : arg));
    const run = await runCli('experiment', 'varq', '--trace', inFolder('wide.swf'), ...told);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(words);
  });

  test.each(['gct_one\ngct_two', 'gct_one two', 'gct_ö'])('token %j is told without a word of it', async (token) => {
    vi.stubEnv('GRIDCAST_TOKEN', token);
    const byVariable = await runCli('sites');
    vi.unstubAllEnvs();
    const byOption = await runCli('sites', '--token', token);
    expect([byVariable.exitCode, byOption.exitCode]).toEqual([1, 2]);
    for (const { stdout, stderr } of [byVariable, byOption]) {
      expect(stderr).toMatch(/(--token|GRIDCAST_TOKEN).* is empty, or has a blank, a line break/);
      expect(stdout + stderr).not.toMatch(/gct_/);
    }
  });

  test('a token of blanks is none where a variable has it, and is refused as an option', async () => {
    vi.stubEnv('GRIDCAST_TOKEN', '');
    const { exitCode, stderr } = await runCli('sites');
    vi.stubEnv('GRIDCAST_TOKEN', ' ');
    expect(await runCli('sites')).toMatchObject({ exitCode, stderr });
    vi.unstubAllEnvs();
    const byOption = await runCli('sites', '--token', ' ');
    expect(byOption.exitCode).toBe(2);
    expect(byOption.stderr).toMatch(/--token.* is empty, or has a blank, a line break/);
  });

  test('an experiment that --json takes for its file gets the order that is right', async () => {
    const run = await runCli('experiment', '--json', 'wait');
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('gridcast experiment wait --json');
    expect((await runCli('experiment', '--json')).exitCode).toBe(0);
  });

  test('an option meant for the script gets the way to hand it on', async () => {
    const run = await runCli('submit', '-n', '1', '-t', '1h', inFolder('job.sh'), '-x');
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('behind --');
  });
});

describe('a file that cannot be', () => {
  test.each([
    [['submit', '-n', '1', '-t', '1h', 'nowhere.sh'], 'there is no such file'],
    [['submit', '-n', '1', '-t', '1h', '.'], 'it is a folder'],
    [['experiment', 'varq', '--tuned', 'nowhere.json'], 'there is no such file'],
    [['experiment', 'wait', '--trace', 'nowhere.swf'], 'there is no such file'],
    [['experiment', 'co-allocation', '--trace', 'package.json', '--trace', '.'], 'it is a folder'],
    [['experiment', 'wait', '--trace', ''], 'the log "" cannot be read: there is no such file'],
    [['experiment', 'wait', '--peer', ''], '--peer "" names no file'],
    [['experiment', 'wait', '--trace', 'package.json', '--trace', '.'], 'wait takes one log, and --trace names 2'],
    [['simulate', '--trace', ''], 'the log "" cannot be read: there is no such file'],
    [['tune', 'wait/apq', '--trace', 'nowhere.swf'], 'there is no such file'],
    [['import', 'x', 'nowhere.swf'], 'there is no such file'],
    [['sites', 'register', 'x', '--adapter', 'pbs', '--configuration', '@nowhere'], 'there is no such file'],
  ])('%j is told in words', async (args, why) => {
    const run = await runCli(...args);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(why);
    expect(run.stderr).not.toMatch(/ENOENT|EISDIR/);
  });

  test.each([
    [['simulate', '--csv'], '.', 'it is a folder'],
    [['simulate', '--csv'], '', 'names no file to write to'],
    [['experiment', 'varq', '--json'], '', 'names no file to write to'],
    [['simulate', '--csv'], '/nowhere/x.csv', 'its folder does not exist'],
    [['experiment', 'varq', '--html'], '/nowhere/x.html', 'its folder does not exist'],
    [['tune', 'wait/apq', '--trace', 'any.swf', '--json'], '/nowhere/x.json', 'its folder does not exist'],
  ])('%j %s is told before anything is computed', async (args, file, why) => {
    const run = await runCli(...args, file);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(why);
    expect(run.stderr).not.toContain('0/');
  });

  test.each([
    ['simulate', '--trace', 'wide.swf', '--processors', '8', '--csv', '/dev/full'],
    ['experiment', 'policies', '--trace', 'wide.swf', '--processors', '8', '--csv', '/dev/full'],
  ])('for which there is no room is named: %s', async (...args) => {
    const run = await runCli(...args.map((arg) => (arg === 'wide.swf' ? inFolder(arg) : arg)));
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('"/dev/full" cannot be written: its disk is full');
  });

  test('that is fit to be written is not made before there is something to write', async () => {
    const csv = inFolder('out.csv');
    const run = await runCli('simulate', '--trace', 'nowhere.swf', '--csv', csv);
    expect(run.exitCode).toBe(2);
    expect(existsSync(csv)).toBe(false);
  });
});

test.each([
  [['experiment', 'nosuch'], 'no experiment nosuch'],
  [['tune', 'wait/nosuch', '--trace', 'package.json'], 'wait/apq'],
])('%j names nothing that there is: wrong usage, with what there is', async (args, said) => {
  const run = await runCli(...args);
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(said);
});

test('a machine that a log does not state is told by --processors, as the error says', async () => {
  const lines = Array.from({ length: 40 }, (_, n) => `${n + 1} ${60 * n} 5 90 4 -1 -1 4 200 -1 1 1 1 1 1 1 -1 -1`);
  writeFileSync(inFolder('sizeless.swf'), `${lines.join('\n')}\n`);
  const parts = ['--set', 'predictors=baseline/requested', '--set', 'scored=10-39', '--threads', '1'];
  const asked = ['experiment', 'runtime', '--trace', inFolder('sizeless.swf'), ...parts];
  const untold = await runCli(...asked);
  expect(untold.exitCode).toBe(1);
  expect(untold.stderr).toContain('tell --processors');
  const told = await runCli(...asked, '--processors', '64');
  expect(told.exitCode).toBe(0);
  expect(told.stdout).toContain('processors=64');
});

test('an unknown option is told once, and as JSON in the same words', async () => {
  const run = await runCli('sites', '--bogus', '--json');
  expect(run.exitCode).toBe(2);
  expect(JSON.parse(run.stdout)).toEqual({ error: { message: "unknown option '--bogus'", remedy: null, faults: [] } });
  expect(run.stderr.match(/--bogus/g)).toHaveLength(1);
});

test.each([['token', 'list'], ['migrate']])('%s %s without its database says what to look at', async (...words) => {
  vi.stubEnv('DATABASE_URL', 'postgresql://u:secret@127.0.0.1:1/x');
  const run = await runCli(...words);
  vi.unstubAllEnvs();
  expect(run.exitCode).toBe(3);
  expect(run.stderr).toMatch(/the database does not answer\n.*DATABASE_URL/);
  expect(run.stdout + run.stderr).not.toMatch(/prisma|secret/i);
});

test('a file of simulated sites that lacks something names it, with a file that is usable', async () => {
  writeFileSync(inFolder('sites.json'), '{}');
  const run = await runCli('simulated-sites', '--config', inFolder('sites.json'));
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain('journalFolder: is missing');
  expect(run.stderr).toContain('"workload":{"generated"');
});

test('a log of which no job fits the machine has no figures', async () => {
  const run = await runCli('simulate', '--trace', inFolder('wide.swf'), '--processors', '1');
  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain('no job');
  expect(run.stdout).not.toContain('NaN');
});
