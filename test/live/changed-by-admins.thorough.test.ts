import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { SUBMIT } from '../service/graphql/documents.ts';
import { openFolder } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { slurmConfig } from './slurm-ways.ts';

const LAB: LabSpec = {
  clusters: [{ name: 'alpha', nodes: 1, processorsPerNode: 2, accounting: false, rest: false }],
};
const missing = labMissing(LAB);
const FIELDS = 'state queue nativeId submittedWalltimeSeconds expectedEndAt siteReason';
const JOB = `query Job($id: ID!) { job(id: $id) { ${FIELDS} } }`;

interface Data {
  job: {
    readonly state: string;
    readonly queue: string;
    readonly nativeId: string;
    readonly submittedWalltimeSeconds: number;
    readonly expectedEndAt: string;
    readonly siteReason: string | null;
  };
}

describe.skipIf(missing !== null)(`what Slurm's administrators change of our jobs ${missing ?? ''}`, () => {
  let lab: Lab;
  let service: LiveService;
  const folder = openFolder();
  beforeAll(async () => {
    lab = await startLab(LAB);
    const configuration = { ...slurmConfig(lab, 'commands', folder.path), accounting: { kind: 'none' } };
    service = await startLiveService([{ name: 'alpha', adapter: 'slurm', configuration }]);
  });
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
    folder.remove();
  });

  const update = (...words: string[]) => lab.cluster('alpha').mustRun(['scontrol', 'update', ...words]);

  async function submitted(processors: number) {
    const job = { name: 'changes', script: '#!/bin/sh\nsleep 100\n', processors, walltimeSeconds: 90, queue: 'batch' };
    const { submitJob } = await service.ask(SUBMIT, { input: job });
    expect(submitJob.userErrors).toEqual([]);
    return submitJob.job.id as string;
  }
  const until = async (what: string, id: string, condition: (data: Data) => boolean) =>
    (await service.askUntil(what, JOB, { id }, condition, 60)).job as Data['job'];

  test('the walltime of one that runs, that it is suspended, and the queue of one that waits are told as they are', async () => {
    const long = await submitted(2);
    const { nativeId } = await until('it runs', long, ({ job }) => job.state === 'RUNNING');
    const waits = await submitted(1);
    const { nativeId: waiting } = await until('it waits', waits, ({ job }) => job.nativeId !== null);

    update(`jobid=${nativeId}`, 'timelimit=30');
    update(`jobid=${waiting}`, 'partition=short');
    const given = await until('it has more time', long, ({ job }) => job.submittedWalltimeSeconds === 1800);
    expect(given.state).toBe('RUNNING');
    expect(Date.parse(given.expectedEndAt)).toBeGreaterThan(Date.now() - 10_000);
    lab.cluster('alpha').mustRun(['scontrol', 'suspend', nativeId]);
    const { state } = await until('it is suspended', long, ({ job }) => job.siteReason === 'SUSPENDED');
    expect(state).toBe('RUNNING');
    lab.cluster('alpha').mustRun(['scontrol', 'resume', nativeId]);
    await until('it goes on', long, ({ job }) => job.siteReason === null);
    await until('it is in the other queue', waits, ({ job }) => job.queue === 'short');
    lab.cluster('alpha').mustRun(['scancel', nativeId]);
    await until('the other runs', waits, ({ job }) => job.state === 'RUNNING');
  }, 180_000);
});
