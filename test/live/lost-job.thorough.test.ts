import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeId } from '../../src/graphql/shared/global-id.ts';
import { listSubmissions } from '../../src/store/submissions.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import { SUBMIT } from '../service/graphql/documents.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';

const SPEC: LabSpec = {
  clusters: [{ name: 'alpha', nodes: 2, processorsPerNode: 4, accounting: false, rest: false }],
};
const PROCESSORS = 8;

const missing = labMissing(SPEC);
if (missing) test('a job that the controller lost is submitted again', ({ skip }) => skip(missing));
else describe('a controller that is killed right after it accepted a job', describeLoss);

function describeLoss(): void {
  let lab: Lab;
  let service: LiveService;
  const shared = openFolder();

  beforeAll(async () => {
    lab = await startLab(SPEC);
    const cluster = lab.cluster('alpha');
    const site = {
      name: 'alpha',
      adapter: 'slurm',
      configuration: {
        transport: { kind: 'local' },
        environment: cluster.clientEnvironment('alice'),
        accounting: { kind: 'jobcomp', file: cluster.files.jobCompletions },
        accountingLagSeconds: 3,
        workFolder: shared.path,
        coolDownMilliseconds: 500,
      },
    };
    service = await startLiveService([site]);
  });
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
    shared.remove();
  });

  test('has lost it; the job is submitted once more under a fresh key, runs once, and its history is kept', async () => {
    const cluster = lab.cluster('alpha');
    const sbatch = ['sbatch', '--parsable', '--output=/dev/null'];
    const blocker = cluster
      .run([...sbatch, `--ntasks=${PROCESSORS}`, '--wrap=sleep 600'], { user: 'bob' })
      .stdout.trim();
    const isRunning = async () => cluster.mustRun(['squeue', '--noheader', '--format=%T']).trim() === 'RUNNING';
    await realTime.until('the cluster is busy', isRunning);
    cluster.mustRun(['scontrol', 'shutdown', 'slurmctld']);
    await realTime.until('everything is saved', async () => !cluster.daemons.isAlive('slurmctld'));
    await cluster.startController();
    const saved = cluster.saveState();

    const result = join(shared.path, 'result');
    const work = { name: 'lost', script: `#!/bin/sh\necho ran >> '${result}'\n`, processors: 2, walltimeSeconds: 60 };
    const { submitJob } = await service.ask(SUBMIT, { input: work });
    expect(submitJob.userErrors).toEqual([]);
    const { id } = submitJob.job;
    const JOB = 'query Job($id: ID!) { job(id: $id) { state nativeId outcome reason } }';
    const isAccepted = ({ job }: { job: { nativeId: string | null } }) => job.nativeId !== null;
    const lostId = (await service.askUntil('the site has it', JOB, { id }, isAccepted)).job.nativeId;
    await cluster.loseSince(saved);
    const stranger = cluster.run([...sbatch, '--wrap=sleep 600'], { user: 'carol' }).stdout.trim();
    expect(stranger).toBe(lostId);

    const submissions = () => listSubmissions(service.stores.database.db, decodeId(id, 'Job', 'id'));
    await realTime.until('it is submitted again', async () => (await submissions()).length === 2, 90);
    await service.askUntil('the site has it again', JOB, { id }, isAccepted);
    for (const job of [blocker, stranger]) cluster.mustRun(['scancel', job]);
    const { job } = await service.askUntil('it has ended', JOB, { id }, (data) => data.job.state === 'ENDED', 90);
    expect(job).toMatchObject({ outcome: 'COMPLETED' });
    expect(readFileSync(result, 'utf8')).toBe('ran\n');

    const [first, second, ...more] = await submissions();
    expect(more).toEqual([]);
    expect(first).toMatchObject({ attempt: 1, state: 'ACCEPTED', nativeId: lostId });
    expect(second).toMatchObject({ attempt: 2, state: 'ACCEPTED', nativeId: job.nativeId });
    expect(second?.key).not.toBe(first?.key);
    expect(job.nativeId).not.toBe(lostId);
  });
}
