import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { JobSpec } from '../../../src/domain/job.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { type CliWorld, createCliWorld } from './cli-world.ts';

const ENTRY = fileURLToPath(new URL('../../../bin/gridcast.mjs', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/snakemake.md', import.meta.url), 'utf8');
const [SUBMIT = '', STATUS = '', CANCEL = '', START_7 = '', START_8 = ''] = [
  ...PAGE.matchAll(/```sh\n([\s\S]*?)```/g),
].map(([, block]) => block);
const SNAKEFILE = `
rule all:
    input: "all.txt"
rule part:
    output: "part-{n}.txt"
    threads: 2
    resources: runtime=10
    shell: "echo {wildcards.n} on $GRIDCAST_TEST_NODE > {output}"
rule join:
    input: expand("part-{n}.txt", n=range(2))
    output: "all.txt"
    shell: "cat {input} > {output}"
rule broken:
    output: "broken.txt"
    shell: "exit 3"
rule long:
    output: "long.txt"
    resources: runtime=1000
    shell: "touch {output}"
`;
const version = spawnSync('snakemake', ['--version'], { encoding: 'utf8' }).stdout?.trim() ?? '';
const START = version.startsWith('7.') ? START_7 : START_8;

/** Each look at a job is a process of its own, on a machine that may be busy. */
const PATIENCE = { timeout: 400_000 };

let cli: CliWorld;
let folder: string;
beforeEach(({ skip }) => {
  if (!version) skip('snakemake is not installed; apt-get install snakemake');
});
beforeAll(async () => {
  if (!version) return;
  cli = await createCliWorld(asOneNode);
  folder = join(cli.folder, 'workflow');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  write('bin/gridcast', `#!/bin/sh\nexec '${process.execPath}' '${ENTRY}' "$@"\n`);
  write('submit.sh', SUBMIT.replace('cluster-a', 'east'));
  write('status.sh', STATUS);
  write('cancel.sh', CANCEL);
  write('Snakefile', SNAKEFILE);
}, PATIENCE.timeout);
afterAll(() => cli?.close());

function write(name: string, content: string): void {
  cli.write(`workflow/${name}`, content);
  spawnSync('chmod', ['+x', join(folder, name)]);
}

/** A simulated site that really runs each script, here, before it takes it in, and then ends as that did. */
function asOneNode(site: SiteAdapter): SiteAdapter {
  const submit = site.submit.bind(site);
  return Object.assign(site, {
    async submit(spec: JobSpec, key: string) {
      const isLong = /--allowed-rules '?long/.test(spec.script);
      const exitCode = isLong ? 0 : await runHere(spec.script);
      return submit({ ...spec, script: `sleep ${isLong ? 30_000 : 1}\nexit ${exitCode}\n` }, key);
    },
  });
}

async function runHere(script: string): Promise<number | null> {
  const child = spawn('sh', [], {
    env: { ...process.env, GRIDCAST_TEST_NODE: 'node1' },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.end(script);
  const [exitCode] = await once(child, 'exit');
  return exitCode;
}

/** Starts it as the page does, for some targets. */
function startSnakemake(...targets: string[]) {
  const env = { ...process.env, GRIDCAST_URL: cli.url, GRIDCAST_TOKEN: cli.token };
  const line = `${START.trimEnd()} ${targets.join(' ')}`;
  return spawn('sh', ['-ec', line.replace(/^snakemake /, 'exec snakemake ')], {
    ...{ cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    env: { ...env, PATH: `${join(folder, 'bin')}:${process.env.PATH}` },
  });
}

test('a workflow runs through the commands of the page', PATIENCE, async () => {
  const snakemake = startSnakemake();
  const [said, [exitCode]] = await Promise.all([text(snakemake.stderr), once(snakemake, 'exit')]);
  expect([exitCode, said]).toEqual([0, expect.stringContaining('4 of 4 steps (100%) done')]);
  expect(readFileSync(join(folder, 'all.txt'), 'utf8')).toBe('0 on node1\n1 on node1\n');
  const jobs = (await cli.gridcast('jobs', '--json')).json();
  expect(jobs.edges.map(({ node }: { node: object }) => node)).toEqual(
    expect.arrayContaining([expect.objectContaining({ processors: 2, walltimeSeconds: 600, outcome: 'COMPLETED' })]),
  );
});

test('a rule that fails is told as failed, with the id of its job', PATIENCE, async () => {
  const snakemake = startSnakemake('broken.txt');
  const [said, [exitCode]] = await Promise.all([text(snakemake.stderr), once(snakemake, 'exit')]);
  expect([exitCode, said]).toEqual([
    1,
    expect.stringMatching(/Error in rule broken:[\s\S]*(cluster|external)_jobid: \S+/),
  ]);
});

test('one that was killed is gone on with, and one that is interrupted has its jobs cancelled', PATIENCE, async () => {
  const handedIn = /external jobid '(\S+)'/;
  const killed = startSnakemake('long.txt');
  const first = await saying(killed, /Submitted .*external jobid '\S+'/);
  const [, id = ''] = handedIn.exec(first) ?? [];
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  spawnSync('snakemake', ['--unlock'], { cwd: folder });
  const snakemake = startSnakemake('long.txt');
  expect(handedIn.exec(await saying(snakemake, /Resuming incomplete job .*external jobid '\S+'/))?.[1]).toBe(id);
  snakemake.kill('SIGINT');
  await once(snakemake, 'exit');
  await cli.world.until('it is cancelled', async () => {
    return (await cli.gridcast('status', id, '--json')).json().outcome === 'CANCELLED';
  });
  expect(existsSync(join(folder, 'long.txt'))).toBe(false);
});

/** What a Snakemake has said once it has said that. */
async function saying(snakemake: ChildProcess, words: RegExp): Promise<string> {
  let said = '';
  snakemake.stderr?.on('data', (piece) => {
    said += piece;
  });
  await cli.world.until(`it says ${words}`, async () => words.test(said));
  return said;
}
