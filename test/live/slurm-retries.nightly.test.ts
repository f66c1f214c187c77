import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { IMPORT_HISTORY, SUBMIT } from '../service/graphql/documents.ts';
import { openFolder } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { pastMonth } from './past-month.ts';
import { slurmConfig } from './slurm-ways.ts';

/** A cluster that enforces memory, has a QOS that preempts another, and runs no job again by itself. */
const SPEC: LabSpec = {
  clusters: [
    {
      ...{ name: 'alpha', nodes: 4, processorsPerNode: 4, accounting: true, rest: false },
      parameters: {
        SelectTypeParameters: 'CR_CPU_Memory',
        JobAcctGatherType: 'jobacct_gather/linux',
        JobAcctGatherFrequency: 'task=1',
        JobAcctGatherParams: 'OverMemoryKill',
        AccountingStorageEnforce: 'associations,limits,qos',
        PreemptType: 'preempt/qos',
        PreemptMode: 'CANCEL',
        JobRequeue: '0',
      },
      nodeWords: {
        1: { Features: 'weak' },
        2: { Features: 'frail' },
        3: { Features: 'sound' },
        4: { Features: 'sound' },
      },
      accounts: [
        ['add', 'account', 'physics'],
        ['add', 'qos', 'urgent', 'scavenger'],
        ['modify', 'qos', 'urgent', 'set', 'preempt=scavenger', 'priority=100'],
        ['add', 'user', 'alice', 'account=physics', 'qos=normal,urgent,scavenger', 'defaultqos=normal'],
      ],
    },
  ],
};
const missing = labMissing(SPEC);
/** Slurm looks every half minute for jobs beyond their limits. */
const PATIENCE_SECONDS = 150;

interface Job {
  readonly state: string;
  readonly outcome: string | null;
  readonly nativeId: string | null;
  readonly walltimeSeconds: number;
  readonly attempts: readonly { outcome: string; reason: string; walltimeSeconds: number; key: string }[];
  readonly submissions: readonly { key: string; nativeId: string | null }[];
}
const JOB = `query Job($id: ID!) {
  job(id: $id) {
    state outcome nativeId walltimeSeconds
    attempts { outcome reason walltimeSeconds key } submissions { key nativeId } charges { kind }
  }
}`;

describe.skipIf(missing !== null)(`jobs are run again by their policy on a real Slurm ${missing ?? ''}`, () => {
  let lab: Lab;
  let service: LiveService;
  const shared = openFolder();
  beforeAll(async () => {
    lab = await startLab(SPEC);
    const configuration = slurmConfig(lab, 'commands', shared.path);
    service = await startLiveService([{ name: 'alpha', adapter: 'slurm', configuration }]);
  });
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
    shared.remove();
  });

  async function submit(name: string, on: string, script: string, more: object = {}): Promise<string> {
    const retry = { on: [on], attempts: 3, ...('retry' in more ? (more.retry as object) : {}) };
    const input = { name, script, processors: 1, walltimeSeconds: 120, ...more, retry };
    const { submitJob } = await service.ask(SUBMIT, { input });
    if (submitJob.userErrors.length > 0) throw new Error(JSON.stringify(submitJob.userErrors));
    return submitJob.job.id;
  }

  async function until(what: string, id: string, condition: (job: Job) => boolean): Promise<Job> {
    return (await service.askUntil(what, JOB, { id }, ({ job }) => condition(job), PATIENCE_SECONDS)).job;
  }

  const isSettled = ({ state }: Job) => state === 'ENDED';
  const runs = (id: string) => until('it runs', id, ({ state }) => state === 'RUNNING');
  /** The first run leaves a mark and works on; a later one that finds it is done at once. */
  const onceLong = (mark: string) =>
    `#!/bin/sh\n[ -e '${shared.path}/${mark}' ] && exit 0\ntouch '${shared.path}/${mark}'\nsleep 300\n`;

  /** What sacct tells of each of a job's native jobs, first to last. */
  async function accounted({ submissions }: Job, field: string): Promise<{ state: string; value: string }[]> {
    const ids = submissions.map(({ nativeId }) => nativeId).join(',');
    const argv = ['sacct', '-nXP', '--duplicates', `--jobs=${ids}`, '--format', `State,End,${field}`];
    for (let tries = 0; ; tries++) {
      const lines = lab.cluster('alpha').mustRun(argv).trim().split('\n');
      const rows = lines.map((line) => line.split('|'));
      if (rows.length === submissions.length && rows.every((row) => !row.includes('Unknown') && !row.includes(''))) {
        return rows.map(([state = '', , value = '']) => ({ state, value }));
      }
      if (tries === 60) throw new Error(`accounting says ${lines.join('; ')}`);
      await sleep(500);
    }
  }

  test.concurrent('OUT_OF_MEMORY with more memory', { timeout: 200_000 }, async () => {
    const file = join(shared.path, 'hog.py');
    writeFileSync(file, 'import time\nheld = bytearray(400 << 20)\ntime.sleep(6)\n');
    const script = `#!/bin/sh\nexec python3 '${file}'\n`;
    const resources = { memoryPerNodeMebibytes: 100, constraints: ['sound'] };
    const id = await submit('hungry', 'OUT_OF_MEMORY', script, { resources, retry: { memoryFactor: 8 } });
    const job = await until('it is settled', id, isSettled);
    expect(job).toMatchObject({ outcome: 'COMPLETED', attempts: [{ outcome: 'OUT_OF_MEMORY' }] });
    expect(job.attempts[0]?.reason).toContain('with 800 MiB of memory after 100 MiB (2 of 3)');
    const told = await accounted(job, 'ReqMem');
    expect(told.map(({ value }) => value)).toEqual(['100M', '800M']);
    expect(told[1]?.state).toBe('COMPLETED');
  });

  test.concurrent('PREEMPTED as it was', { timeout: 200_000 }, async () => {
    const resources = { exclusive: true, constraints: ['weak'] };
    const id = await submit('weak', 'PREEMPTED', onceLong('weak'), { resources, qos: 'scavenger' });
    await runs(id);
    const strong = ['--qos=urgent', '--exclusive', '--constraint=weak', '--output=/dev/null', '--wrap=sleep 2'];
    const said = lab.cluster('alpha').run(['sbatch', '--chdir=/tmp', ...strong], { user: 'alice' });
    expect(said.stderr).toBe('');
    const job = await until('it is settled', id, isSettled);
    expect(job).toMatchObject({ outcome: 'COMPLETED', attempts: [{ outcome: 'PREEMPTED', walltimeSeconds: 120 }] });
    const told = await accounted(job, 'QOS');
    expect(told.map(({ state, value }) => [state, value])).toEqual([
      ['PREEMPTED', 'scavenger'],
      ['COMPLETED', 'scavenger'],
    ]);
  });

  test.concurrent('NODE_FAIL as it was, on what is left or comes back', { timeout: 200_000 }, async () => {
    const id = await submit('frail', 'NODE_FAIL', onceLong('frail'), { resources: { constraints: ['frail'] } });
    await runs(id);
    const cluster = lab.cluster('alpha');
    await cluster.crashNode('alpha2');
    cluster.markNodeDown('alpha2');
    await until('it waits again', id, ({ attempts }) => attempts.length === 1);
    await cluster.startNode('alpha2');
    const job = await until('it is settled', id, isSettled);
    expect(job).toMatchObject({ outcome: 'COMPLETED', attempts: [{ outcome: 'NODE_FAIL', walltimeSeconds: 120 }] });
    expect((await accounted(job, 'JobID')).map(({ state }) => state)).toEqual(['NODE_FAIL', 'COMPLETED']);
    expect(new Set(job.submissions.map(({ key }) => key)).size).toBe(2);
  });

  test.concurrent('TIMEOUT with the walltime that runtimes of the past say', { timeout: 200_000 }, async () => {
    // A month of jobs that asked for an hour and ran for four minutes and a half.
    const content = pastMonth(() => 1, { runSeconds: 270, walltimeSeconds: 3600 });
    const { importHistory } = await service.ask(IMPORT_HISTORY, { input: { siteId: service.sites.alpha, content } });
    expect(importHistory).toMatchObject({ userErrors: [] });
    const id = await submit('slow', 'TIMEOUT', onceLong('slow'), {
      walltimeSeconds: 60,
      resources: { constraints: ['sound'] },
    });
    const job = await until('it is settled', id, isSettled);
    expect(job).toMatchObject({ outcome: 'COMPLETED', attempts: [{ outcome: 'TIMEOUT', walltimeSeconds: 60 }] });
    // Twice as long would be what is asked for where nothing is known.
    expect(job.walltimeSeconds).toBeGreaterThanOrEqual(240);
    expect(job.walltimeSeconds).toBeLessThanOrEqual(360);
    const told = await accounted(job, 'TimelimitRaw');
    expect(told).toEqual([
      { state: 'TIMEOUT', value: '1' },
      { state: 'COMPLETED', value: String(job.walltimeSeconds / 60) },
    ]);
  });
});
