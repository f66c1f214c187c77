import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, labMissing, startLab, WHOLE_LAB } from '../lab/lab.ts';
import { CO_ALLOCATE, IMPORT_HISTORY, RESERVE, SUBMIT } from '../service/graphql/documents.ts';
import { openFolder } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { PAST_JOBS, pastMonth } from './past-month.ts';

const [ALPHA, BETA] = WHOLE_LAB.clusters;
const SPEC = { clusters: [ALPHA, BETA] };
const OWN_HISTORY_JOBS = 60;
/** Jobs are handed over a minute before their moment, so that a busy machine has time to spare. */
const LEAD_SECONDS = 80;
const USUAL_WAIT_SECONDS = 40;

const missing = labMissing(SPEC);
if (missing) test('from import to either-or on two Slurm clusters', ({ skip }) => skip(missing));
else describe('on two Slurm clusters, one with slurmdbd by commands, one by slurmrestd', describeEndToEnd);

function describeEndToEnd(): void {
  let lab: Lab;
  let service: LiveService;
  const shared = openFolder();

  beforeAll(async () => {
    lab = await startLab(SPEC);
    const [alpha, beta] = [lab.cluster('alpha'), lab.cluster('beta')];
    const past = ['sbatch', `--array=1-${OWN_HISTORY_JOBS}`, '--output=/dev/null', '--wrap=true'];
    expect(alpha.run(past, { user: 'bob' })).toMatchObject({ status: 0 });
    const tokenFile = join(lab.folder, 'token');
    writeFileSync(tokenFile, beta.token('alice'));
    service = await startLiveService([
      {
        name: 'alpha',
        adapter: 'slurm',
        configuration: {
          transport: { kind: 'local' },
          environment: alpha.clientEnvironment('alice'),
          workFolder: shared.path,
          accountingLagSeconds: 10,
        },
      },
      {
        name: 'beta',
        adapter: 'slurm',
        configuration: {
          transport: { kind: 'rest', url: beta.restUrl, user: 'alice', tokenFile },
          accounting: { kind: 'none' },
          workFolder: shared.path,
        },
      },
    ]);
  });
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
    shared.remove();
  });

  /** Work that leaves the moment at which it began in a file of that name. */
  const workThatTells = (file: string) => ({
    name: file,
    script: `#!/bin/sh\ndate +%s > '${join(shared.path, file)}'\nsleep 5\n`,
    processors: 2,
    walltimeSeconds: 60,
  });
  const beganAt = (file: string) => Number(readFileSync(join(shared.path, file), 'utf8'));

  test('history comes from accounting, and from a log that is imported', async () => {
    const RECORDS = 'query Site($id: ID!) { site(id: $id) { records fault } }';
    const { alpha, beta } = service.sites;
    const hasOwn = ({ site }: { site: { records: number } }) => site.records >= OWN_HISTORY_JOBS;
    await service.askUntil('accounting is read', RECORDS, { id: alpha }, hasOwn);
    for (const siteId of [alpha, beta]) {
      const input = { siteId, content: pastMonth(pastWaitSeconds) };
      const { importHistory } = await service.ask(IMPORT_HISTORY, { input });
      expect(importHistory).toMatchObject({ userErrors: [], imported: PAST_JOBS });
    }
  });

  test('forecasts rest on it', async () => {
    const FORECAST = `query Forecast($siteId: ID!, $input: ForecastInput!) {
      forecast(siteId: $siteId, input: $input) { sampleSize stale probabilityToStartWithin(seconds: 50) boundSeconds(probability: 0.5) }
    }`;
    for (const siteId of Object.values(service.sites)) {
      const { forecast } = await service.ask(FORECAST, { siteId, input: { processors: 2, walltimeSeconds: 60 } });
      expect(forecast).toMatchObject({ stale: false });
      expect(forecast.sampleSize).toBeGreaterThan(100);
      expect(forecast.probabilityToStartWithin).toBeGreaterThan(0.7);
      expect(forecast.probabilityToStartWithin).toBeLessThan(0.95);
    }
  });

  test('a job is planned, runs and is charged', async () => {
    const input = { ...workThatTells('job'), script: `#!/bin/sh\nprintf %s "$1" > '${join(shared.path, 'job')}'\n` };
    const { submitJob } = await service.ask(SUBMIT, { input: { ...input, arguments: ['it is "quoted" $HOME'] } });
    expect(submitJob.userErrors).toEqual([]);
    const JOB = `query Job($id: ID!) {
      job(id: $id) { state outcome exitCode nativeId charges { kind } plan { candidates { site { name } } } }
    }`;
    const isSettled = ({ job }: { job: { charges: unknown[] } }) => job.charges.length > 0;
    const { job } = await service.askUntil('it is settled', JOB, { id: submitJob.job.id }, isSettled);
    expect(job).toMatchObject({ state: 'ENDED', outcome: 'COMPLETED', exitCode: 0, charges: [{ kind: 'NEEDED' }] });
    const sites = job.plan.candidates.map(({ site }: { site: { name: string } }) => site.name);
    expect(new Set(sites).size).toBe(2);
    expect(readFileSync(join(shared.path, 'job'), 'utf8')).toBe('it is "quoted" $HOME');
  });

  test('a reservation and an either-or begin their work at their moment, and the loser is gone', async () => {
    const startAt = Math.ceil(Date.now() / 1000) + LEAD_SECONDS;
    const moment = new Date(startAt * 1000).toISOString();
    const reserved = { ...workThatTells('reserved'), startAt: moment, probability: 0.6 };
    const { reserve } = await service.ask(RESERVE, { input: reserved });
    expect(reserve.userErrors).toEqual([]);
    const legs = ['alpha', 'beta'].map((site) => ({ ...workThatTells(site), siteIds: [service.sites[site]] }));
    const { coAllocate } = await service.ask(CO_ALLOCATE, {
      input: { rule: 'ANY', startAt: moment, probability: 0.95, legs },
    });
    expect(coAllocate.userErrors).toEqual([]);
    expect(coAllocate.coAllocation.legs).toHaveLength(2);

    const KEPT = 'query Reservation($id: ID!) { reservation(id: $id) { state job { state startedAt site { name } } } }';
    const isKept = (data: { reservation: { state: string } }) => data.reservation.state === 'KEPT';
    const { reservation } = await service.askUntil('it is kept', KEPT, { id: reserve.reservation.id }, isKept, 150);
    expect(Date.parse(reservation.job.startedAt) / 1000).toBeLessThanOrEqual(startAt);

    const DECIDED = `query CoAllocation($id: ID!) {
      coAllocation(id: $id) { state legs { state site { name } job { state outcome nativeId startedAt } } }
    }`;
    const { coAllocation } = await service.askUntil(
      'it is decided and its loser has ended',
      DECIDED,
      { id: coAllocate.coAllocation.id },
      (data) => data.coAllocation.legs.every(({ job }: { job: { state: string } }) => job.state === 'ENDED'),
      150,
    );
    expect(coAllocation.state).toBe('SUCCEEDED');
    const hasEnded = (data: { reservation: { job: { state: string } } }) => data.reservation.job.state === 'ENDED';
    await service.askUntil('its work is done', KEPT, { id: reserve.reservation.id }, hasEnded, 150);
    type Leg = { state: string; site: { name: string }; job: { outcome: string; nativeId: string | null } };
    const winner = coAllocation.legs.find(({ job }: Leg) => job.outcome === 'COMPLETED') as Leg;
    const loser = coAllocation.legs.find(({ job }: Leg) => job.outcome === 'CANCELLED') as Leg;
    expect([winner.site.name, loser.site.name].sort()).toEqual(['alpha', 'beta']);

    for (const file of ['reserved', winner.site.name]) {
      expect(beganAt(file)).toBeGreaterThanOrEqual(startAt);
      expect(beganAt(file)).toBeLessThan(startAt + 60);
    }
    expect(existsSync(join(shared.path, loser.site.name))).toBe(false);
    const cluster = lab.cluster(loser.site.name);
    if (loser.job.nativeId !== null) {
      expect(cluster.mustRun(['scontrol', 'show', 'job', loser.job.nativeId])).toContain('JobState=CANCELLED');
    }
    expect(cluster.mustRun(['squeue', '--noheader', '--user=alice', '--states=PENDING,RUNNING'])).toBe('');
  }, 300_000);
}

/** Seven jobs out of eight started after the usual wait and the others after an hour, in no order. */
function pastWaitSeconds(index: number): number {
  return (index * 7919) % 8 === 0 ? 3600 : USUAL_WAIT_SECONDS;
}
