import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jobNameOf } from '../../adapters/shared/job-name.ts';
import { decodeId } from '../../src/graphql/shared/global-id.ts';
import { toDate } from '../../src/store/moments.ts';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import type { SlurmCluster } from '../lab/slurm/cluster.ts';
import type { LabUser } from '../lab/users.ts';
import { IMPORT_HISTORY, RESERVE } from '../service/graphql/documents.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { PAST_JOBS, pastMonth } from './past-month.ts';
import { keepStateDiary, type StateDiary } from './state-diary.ts';

const PROCESSORS = 4;
const SPEC: LabSpec = {
  clusters: [{ name: 'alpha', nodes: 1, processorsPerNode: PROCESSORS, accounting: true, rest: false }],
};
const LEAD_SECONDS = 130;
/**
 * So long before the moment the second job is handed over, in steps of 30 s; a busy machine has that time to start it.
 */
const HANDOVER_SECONDS = 30;
const USUAL_WAIT_SECONDS = 3;
/** How late a busy machine may begin what it holds. */
const TARDY_SECONDS = 20;
const WORK_SECONDS = 5;

const missing = labMissing(SPEC);
if (missing) test('a reservation gives its processors back on a Slurm cluster', ({ skip }) => skip(missing));
else describe('a reservation whose job starts far too early on a Slurm cluster', describeRelease);

const RESERVATION = `query Reservation($id: ID!) { reservation(id: $id) {
  state submitAt releasedProcessorSeconds charges { kind processorSeconds }
  job { state outcome reason nativeId startedAt submissions { key state nativeId } }
} }`;
interface Reserved {
  readonly releasedProcessorSeconds: number;
  readonly charges: readonly { readonly kind: string; readonly processorSeconds: number }[];
  readonly job: { readonly submissions: readonly { key: string; state: string; nativeId: string | null }[] };
}

function describeRelease(): void {
  let lab: Lab;
  let cluster: SlurmCluster;
  let service: LiveService;
  let diary: StateDiary;
  const shared = openFolder();

  beforeAll(async () => {
    lab = await startLab(SPEC);
    cluster = lab.cluster('alpha');
    const environment = cluster.clientEnvironment('alice');
    const access = { transport: { kind: 'local' }, environment, workFolder: shared.path, accountingLagSeconds: 10 };
    const site = { name: 'alpha', adapter: 'slurm', configuration: access };
    service = await startLiveService([site], { GRIDCAST_HANDOVER_SECONDS: String(HANDOVER_SECONDS) });
    diary = await keepStateDiary(service.stores.database.db);
    const past = { siteId: service.sites.alpha, content: pastMonth(() => USUAL_WAIT_SECONDS) };
    const { importHistory } = await service.ask(IMPORT_HISTORY, { input: past });
    expect(importHistory).toMatchObject({ userErrors: [], imported: PAST_JOBS });
    await service.askUntil(
      'forecasts rest on it',
      `query Forecast($id: ID!) { forecast(siteId: $id, input: { processors: ${PROCESSORS}, walltimeSeconds: 60 }) {
        probabilityToStartWithin(seconds: ${2 * USUAL_WAIT_SECONDS})
      } }`,
      { id: service.sites.alpha },
      ({ forecast }) => forecast.probabilityToStartWithin > 0.95,
    );
  }, 240_000);
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
    shared.remove();
  });

  /** Promises work that leaves the moment at which it began, a line for each time, and hands it in at once. */
  async function reserveAndSubmitEarly(startAt: number): Promise<string> {
    const work = {
      name: 'early',
      script: `#!/bin/sh\ndate +%s >> '${join(shared.path, 'began')}'\nsleep ${WORK_SECONDS}\n`,
      processors: PROCESSORS,
      walltimeSeconds: 60,
    };
    const promise = { startAt: new Date(startAt * 1000).toISOString(), probability: 0.9, mode: 'HOLD' };
    const { reserve } = await service.ask(RESERVE, { input: { ...work, ...promise } });
    expect(reserve.userErrors).toEqual([]);
    const { id, job, submitAt } = reserve.reservation;
    expect(Date.parse(submitAt) / 1000).toBeGreaterThan(startAt - LEAD_SECONDS / 2);
    await submitEarly(service, decodeId(job.id, 'Job', 'id'));
    return id;
  }

  test('gives its processors back, and is kept by a second job', { timeout: 300_000 }, async () => {
    const startAt = Math.ceil(Date.now() / 1000) + LEAD_SECONDS;
    const id = await reserveAndSubmitEarly(startAt);
    const ask = (what: string, condition: (reservation: Reserved) => boolean) =>
      service.askUntil(what, RESERVATION, { id }, (data) => condition(data.reservation), LEAD_SECONDS + 60);

    const gone = await ask('they are given back', ({ job }) => job.submissions[0]?.state === 'RELEASED');
    const { releasedProcessorSeconds } = gone.reservation;
    expect(gone.reservation).toMatchObject({ state: 'PROMISED', charges: [] });
    const reason = 'it gave back the processors that it held too early at alpha';
    expect(gone.reservation.job).toMatchObject({ state: 'HELD', reason, nativeId: null, startedAt: null });
    await expectIdle(cluster);
    const bystander = cluster.run(['sbatch', `--ntasks=${PROCESSORS}`, '--output=/dev/null', '--wrap=true'], {
      user: 'bob',
    });
    expect(bystander).toMatchObject({ status: 0 });

    const { reservation } = await ask('it is settled', ({ charges }) => charges.length > 0);
    expect(reservation).toMatchObject({ state: 'KEPT', releasedProcessorSeconds });
    expect(reservation.job).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED' });
    await expectStates(id, reservation);
    await expectBegunOnce(startAt);
    await expectIdle(cluster);
    await expectInAccounting(reservation, startAt);
  });

  /** What it went through, by the database's own word. */
  async function expectStates(id: string, { job: { submissions } }: Reserved): Promise<void> {
    const states = await Promise.all(submissions.map(({ key }) => diary.statesOf('Submission', key)));
    expect(states).toEqual([
      ['INTENDED', 'ACCEPTED', 'RELEASING', 'RELEASED'],
      ['INTENDED', 'ACCEPTED'],
    ]);
    const promised = ['PROMISED', 'SUBMITTED', 'HOLDING'];
    const reservationId = decodeId(id, 'Reservation', 'id');
    expect(await diary.statesOf('Reservation', reservationId)).toEqual([...promised, ...promised, 'KEPT']);
    const { executionId } = await service.stores.database.db.reservation.findUniqueOrThrow({
      where: { id: reservationId },
    });
    const execution = await service.stores.database.db.execution.findUnique({ where: { id: executionId } });
    expect(execution).toMatchObject({ outcome: 'COMPLETED', attempts: 2 });
  }

  async function expectBegunOnce(startAt: number): Promise<void> {
    const [beganAt, ...more] = readFileSync(join(shared.path, 'began'), 'utf8').trim().split('\n').map(Number);
    expect(more).toEqual([]);
    expect(beganAt).toBeGreaterThanOrEqual(startAt);
    expect(beganAt).toBeLessThan(startAt + TARDY_SECONDS);
  }

  /**
   * Two jobs that never overlapped, between them somebody else's on the same processors, and each second of them
   * charged.
   */
  async function expectInAccounting(reservation: Reserved, startAt: number): Promise<void> {
    const { submissions } = reservation.job;
    const isWhole = async () => accountedJobs(cluster, 'alice').at(-1)?.state === 'COMPLETED';
    await realTime.until('accounting knows how it ended', isWhole);
    const [first, second, ...more] = accountedJobs(cluster, 'alice');
    if (!first || !second) throw new Error('accounting does not know two jobs');
    expect(more).toEqual([]);
    expect([first.name, second.name]).toEqual(submissions.map(({ key }) => jobNameOf(key)));
    expect([first.id, second.id]).toEqual(submissions.map(({ nativeId }) => nativeId));
    expect(first.state).toMatch(/^CANCELLED/);
    expect(first.startedAt).toBeLessThan(startAt - HANDOVER_SECONDS);
    expect(first.endedAt).toBeLessThanOrEqual(second.submittedAt);
    expect(second.startedAt).toBeLessThanOrEqual(startAt);
    expect(second.endedAt).toBeGreaterThanOrEqual(startAt + WORK_SECONDS);
    const [bystander] = accountedJobs(cluster, 'bob');
    expect(bystander).toMatchObject({ state: 'COMPLETED', processors: PROCESSORS });
    expect(bystander?.startedAt).toBeGreaterThanOrEqual(first.endedAt);
    expect(bystander?.endedAt).toBeLessThanOrEqual(second.startedAt);

    const releasedProcessorSeconds = heldProcessorSeconds(first);
    expect(reservation.releasedProcessorSeconds).toBe(releasedProcessorSeconds);
    const needed = PROCESSORS * (second.endedAt - startAt);
    const padding = releasedProcessorSeconds + heldProcessorSeconds(second) - needed;
    const charges = Object.fromEntries(
      reservation.charges.map(({ kind, processorSeconds }) => [kind, processorSeconds]),
    );
    expect(charges).toEqual({ NEEDED: needed, PADDING: padding });
  }
}

/** Lets a promise be submitted now, as it would be when its site had seemed busy. */
async function submitEarly({ stores }: LiveService, id: string): Promise<void> {
  const { db } = stores.database;
  const now = Date.now() / 1000;
  // A plan that was made that lately is carried out as it is, however long a busy worker takes to get to it.
  const recomputedAt = toDate(now + TARDY_SECONDS);
  await db.reservation.update({ where: { executionId: id }, data: { recomputedAt } });
  const due = { submitAt: toDate(now), wakeAt: toDate(now), version: { increment: 1 } };
  const isDue = async () => {
    const { count } = await db.execution.updateMany({ where: { id, leaseExpiresAt: null }, data: due });
    return count === 1;
  };
  await realTime.until('nobody works on it', isDue);
}

/** Waits until the queue is empty and no processor is in use. */
async function expectIdle(cluster: SlurmCluster): Promise<void> {
  const queue = () => cluster.mustRun(['squeue', '--noheader']).trim();
  const processorsInUse = () => Number(cluster.mustRun(['sinfo', '--noheader', '--format=%C']).split('/')[0]);
  await realTime.until('the cluster is idle', async () => queue() === '' && processorsInUse() === 0, TARDY_SECONDS);
}

interface AccountedJob {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly processors: number;
  readonly submittedAt: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** Every job of a user that the cluster's accounting knows, first to last. */
function accountedJobs(cluster: SlurmCluster, user: LabUser): AccountedJob[] {
  const fields = '--format=JobID,JobName%80,State,AllocCPUS,Submit,Start,End';
  const which = ['--allocations', '--duplicates', `--user=${user}`, '--starttime=now-1hour'];
  const sacct = ['sacct', ...which, '--noheader', '--parsable2', fields];
  const lines = cluster.mustRun(['env', 'SLURM_TIME_FORMAT=%s', ...sacct]).trim();
  return lines.split('\n').map((line) => {
    const [id = '', name = '', state = '', processors, submittedAt, startedAt, endedAt] = line.split('|');
    const moments = { submittedAt: Number(submittedAt), startedAt: Number(startedAt), endedAt: Number(endedAt) };
    return { id, name, state, processors: Number(processors), ...moments };
  });
}

function heldProcessorSeconds({ processors, startedAt, endedAt }: AccountedJob): number {
  return processors * (endedAt - startedAt);
}
