import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { realTime } from './conformance/real-site.ts';

const SPEC: LabSpec = {
  clusters: [{ name: 'tiny', nodes: 1, processorsPerNode: 1, accounting: false, rest: false }],
  login: true,
};
const missing = labMissing(SPEC);
/** With Slurm's patience of three seconds this job was put back, and sometimes held. */
const SILENT_MILLISECONDS = 7000;

/** Command lines of this machine that mention a folder. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8')];
      } catch {
        return [];
      }
    })
    .filter((commandLine) => commandLine.includes(`${folder}/`));
}

const CELLS: LabSpec = {
  cells: [
    { name: 'gone', slots: 2 },
    { name: 'gtwo', slots: 2 },
  ],
};
const cellsMissing = labMissing(CELLS);

test('Grid Engine cells at one time leave the jobs of the others alone', async ({ skip }) => {
  if (cellsMissing) skip(cellsMissing);
  const lab = await startLab(CELLS);
  try {
    const [one, other] = lab.cells;
    const submit = ['qsub', '-b', 'y', '-o', '/dev/null', '-e', '/dev/null'];
    const listed = () => one?.run(['qstat', '-u', '*']).stdout ?? '';
    one?.run([...submit, '/bin/sleep', '10'], { user: 'alice' });
    await realTime.until('the long job runs', async () => / r /.test(listed()));
    const { status } = other?.run([...submit, '-sync', 'y', '/bin/true'], { user: 'alice' }) ?? {};
    expect(status).toBe(0);
    await realTime.until('the long job has ended', async () => listed() === '');
    expect(one?.run(['qacct', '-j', '1']).stdout).toMatch(/^failed +0 +\nexit_status +0 +$/m);
  } finally {
    await lab.stop();
  }
});

test('a node that is silent for some seconds while a job begins there runs it once', async ({ skip }) => {
  if (missing) skip(missing);
  const lab = await startLab(SPEC);
  try {
    const cluster = lab.cluster('tiny');
    const [node] = cluster.nodes;
    cluster.daemons.signal(`slurmd-${node}`, 'SIGSTOP');
    const id = cluster.mustRun(['sbatch', '--parsable', '--output=/dev/null', '--wrap=true']).trim();
    await sleep(SILENT_MILLISECONDS);
    cluster.daemons.signal(`slurmd-${node}`, 'SIGCONT');
    const job = () => cluster.mustRun(['scontrol', 'show', 'job', id]);
    await realTime.until('the job is over', async () => !/JobState=(?:PENDING|RUNNING|COMPLETING)/.test(job()));
    expect(job()).toMatch(/JobState=COMPLETED .*Restarts=0 /s);
  } finally {
    await lab.stop();
  }
});

test('two labs at once share nothing, run jobs as their users, and leave nothing behind', async ({ skip }) => {
  if (missing) skip(missing);
  const labs = await Promise.all([startLab(SPEC), startLab(SPEC)]);
  try {
    const [one, other] = labs.map((lab) => lab.cluster('tiny'));
    expect(one?.folder).not.toBe(other?.folder);
    expect(one?.ports).not.toEqual(other?.ports);
    for (const cluster of [one, other]) {
      const submit = ['sbatch', '--parsable', '--wait', '--output=/dev/null', '--wrap=sleep 1'];
      expect(cluster?.run(submit, { user: 'alice' })).toMatchObject({ status: 0, stdout: '1\n' });
      expect(cluster?.mustRun(['scontrol', 'show', 'job', '1'])).toMatch(/UserId=alice.*JobState=COMPLET(ED|ING)/s);
    }
  } finally {
    await Promise.all(labs.map((lab) => lab.stop()));
  }
  for (const { folder } of labs) {
    expect(existsSync(folder)).toBe(false);
    expect(processesOf(folder)).toEqual([]);
  }
});
