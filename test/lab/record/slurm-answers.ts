import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LabSpec, startLab } from '../lab.ts';
import type { SlurmCluster } from '../slurm/cluster.ts';
import { Recorder } from './recorder.ts';

/** Where the tests of the adapter look for them. */
const FIXTURES = 'test/fixtures/slurm';

/** A cluster of which everything is told, and one that measures what jobs use. */
export const RECORDED_LAB = {
  clusters: [
    { name: 'gsa', nodes: 4, processorsPerNode: 4, accounting: true, rest: true },
    {
      ...{ name: 'alpha', nodes: 2, processorsPerNode: 4, accounting: true, rest: true },
      parameters: { JobAcctGatherType: 'jobacct_gather/linux', JobAcctGatherFrequency: 'task=1' },
    },
  ],
} as const satisfies LabSpec;

/** Has jobs live through every kind of end on real clusters and records what these say of them, for the unit tests. */
export async function recordSlurm(say: (what: string) => void): Promise<void> {
  const lab = await startLab(RECORDED_LAB);
  try {
    const [gsa, alpha] = ['gsa', 'alpha'].map((name) => lab.cluster(name)) as [SlurmCluster, SlurmCluster];
    await Promise.all([
      recordQueueAndEnds(gsa, new Recorder(gsa, FIXTURES, say)),
      recordUse(alpha, new Recorder(alpha, FIXTURES, say)),
    ]);
    execFileSync('node_modules/.bin/biome', ['format', '--write', FIXTURES]);
  } finally {
    await lab.stop();
  }
}

async function recordQueueAndEnds(cluster: SlurmCluster, recorder: Recorder): Promise<void> {
  const on = (node: string, ...options: string[]) => [`--nodelist=${node}`, '--time=10', ...options];
  const submit = recorder.submit.bind(recorder);
  const timeout = submit(on('gsa1', '--job-name=gridcast.gc-timeout-1', '--time=1', '--requeue'), 'sleep 600');
  const fail = submit(on('gsa1', '--job-name=gridcast.gc-fail-1', '--ntasks=2'), 'exit 7');
  const signal = submit(on('gsa1', '--job-name=gridcast.gc-signal-1'), 'kill -9 $$');
  await recorder.untilIn(/^FAILED$/, fail);
  await recorder.untilIn(/^FAILED$/, signal);
  const evil = ['--job-name=evil\n99999~gridcast.gc-fail-1|', '--ntasks=4', '--nodelist=gsa2', '--time=1-00:00:00'];
  submit(evil, 'sleep 86000', 'bob');
  submit(on('gsa1', '--job-name=arr', '--array=1-4%1', '--requeue'), 'sleep 300');
  const het = ['--nodelist=gsa1', '--time=10', '--ntasks=1', ':', '--nodelist=gsa4', '--ntasks=2', '--time=10'];
  const pair = submit(het, 'sleep 300');
  const requeued = submit(on('gsa4', '--job-name=gridcast.gc-requeued-1', '--requeue'), 'sleep 20');
  await recorder.untilIn(/^RUNNING$/, requeued);
  await recorder.untilIn(/^RUNNING$/, pair);
  await recorder.untilIn(/^RUNNING$/, timeout);
  // Slurm fails a job that is put back in the second of its start.
  await sleep(2000);
  cluster.mustRun(['scontrol', 'requeue', requeued]);
  const held = submit(on('gsa4', '--job-name=gridcast.gc-held-1', '--hold'), 'true');
  const lost = submit(on('gsa1', '--job-name=gridcast.gc-lost-1', '--no-requeue'), 'sleep 600');
  await recorder.untilIn(/^RUNNING$/, lost);
  submit(['--job-name=big', '--partition=batch,short', '--ntasks=16', '--time=5'], 'true');
  submit(['--job-name=begin', '--time=10', '--begin=now+1hour'], 'true');
  // Slurm writes down why jobs wait when its scheduler has looked at them.
  await sleep(3000);
  recorder.queue('squeue.txt');
  await recorder.rest('rest-nodes.json', 'slurm', '/nodes');
  await recorder.rest('rest-partitions.json', 'slurm', '/partitions');
  recorder.write('partitions.txt', cluster.mustRun(['scontrol', 'show', 'partition', '--oneliner', '--all']));
  cluster.mustRun(['scancel', held]);
  recorder.queue('squeue-me.txt', ['--user=alice', '--states=all']);
  await recorder.rest('rest-jobs.json', 'slurm', '/jobs');
  await cluster.crashNode('gsa1');
  cluster.markNodeDown('gsa1');
  await sleep(1000);
  await cluster.startNode('gsa1');
  await recorder.untilIn(/^COMPLETED$/, requeued);
  await recorder.untilIn(/^TIMEOUT$/, timeout);
  await recorder.untilAccounted(RUNS_THAT_END);
  recorder.accounting('sacct.txt');
  await recorder.endedOverRest('rest-ended.json');
  copyFileSync(cluster.files.jobCompletions, join(FIXTURES, 'jobcomp.txt'));
}

/** Two of what runs out of time and of what is put back, the first of the array and of the pair, and four more. */
const RUNS_THAT_END = 10;

async function recordUse(cluster: SlurmCluster, recorder: Recorder): Promise<void> {
  const submit = (options: readonly string[], script: string) =>
    recorder.submit([...options, '--time=10'], script, 'bob');
  const busy = (seconds: number, held: number) =>
    `python3 -c "import time; held = bytearray(${held}); end = time.process_time() + ${seconds}\nwhile time.process_time() < end: pass"`;
  const writes = 'dd if=/dev/zero of=/tmp/gridcast-recorded bs=1M count=50 status=none; rm -f /tmp/gridcast-recorded';
  const plain = submit(['--job-name=plain name: with|bar'], `${busy(3, 1)}; sleep 6; ${writes}`);
  const steps = ['--job-name=steps', '--ntasks=2'];
  const stepped = submit(steps, `srun --ntasks=2 ${busy(3, 4 << 20)}; srun --ntasks=2 bash -c 'true'`);
  submit(['--job-name=arr', '--array=1-2'], 'true');
  const requeued = submit(['--job-name=requeued', '--requeue'], '[ "$SLURM_RESTART_COUNT" ] || sleep 600');
  await recorder.untilIn(/^RUNNING$/, requeued);
  // Slurm fails a job that is put back in the second of its start.
  await sleep(2000);
  cluster.mustRun(['scontrol', 'requeue', requeued]);
  for (const id of [plain, stepped, requeued]) await recorder.untilIn(/^COMPLETED$/, id);
  await recorder.untilAccounted(6);
  recorder.accounting('sacct-use.txt', { withSteps: true });
  await recorder.endedOverRest('rest-use.json', { withSteps: true });
}
