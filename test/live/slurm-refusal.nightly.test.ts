import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, type LabSpec, labMissing, startLab } from '../lab/lab.ts';
import type { SlurmCluster } from '../lab/slurm/cluster.ts';
import { DRAIN_SITE, IMPORT_HISTORY, RESERVE, SUBMIT } from '../service/graphql/documents.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { pastMonth } from './past-month.ts';

const SPEC: LabSpec = {
  clusters: [
    {
      ...{ name: 'alpha', nodes: 8, processorsPerNode: 4, accounting: true, rest: false },
      parameters: { AccountingStorageEnforce: 'associations' },
    },
    { name: 'beta', nodes: 8, processorsPerNode: 4, accounting: false, rest: false },
  ],
};
const LEAD_SECONDS = 50;
const REFUSAL_SECONDS = 50;
const JOBS = [1, 2, 3, 4, 5, 6, 7, 8];
const ASSOCIATION = ['user', 'alice', 'account=science'];
/** A site takes whoever may use it, and refuses everybody else, in its own words. */
const REFUSALS = [
  {
    what: 'an account that was taken away',
    close: ['sacctmgr', '--immediate', 'remove', ...ASSOCIATION],
    open: ['sacctmgr', '--immediate', 'add', ...ASSOCIATION],
    lostBecause: 'QUEUE_FORBIDDEN',
    words: /Invalid account or account\/partition combination specified/,
  },
  {
    what: 'a partition that was made inactive',
    close: ['scontrol', 'update', 'partitionname=batch', 'state=inactive'],
    open: ['scontrol', 'update', 'partitionname=batch', 'state=up'],
    lostBecause: 'QUEUE_DOWN',
    words: /Required partition not available|its state is INACTIVE/,
  },
] as const;

const missing = labMissing(SPEC);
if (missing) test('a site that refuses', ({ skip }) => skip(missing));
else describe('of two Slurm clusters the one that every job would go to refuses', describeRefusals);

function describeRefusals(): void {
  let lab: Lab;
  let service: LiveService;
  let alpha: SlurmCluster;
  const shared = openFolder();

  beforeAll(async () => {
    lab = await startLab(SPEC);
    alpha = lab.cluster('alpha');
    alpha.mustRun(['sacctmgr', '--immediate', 'add', 'account', 'science']);
    alpha.mustRun(REFUSALS[0].open);
    await realTime.until('alpha takes jobs of alice', async () => takesJobs());
    const sites = ['alpha', 'beta'].map((name) => siteOf(lab.cluster(name), shared.path));
    // What a site is made of is read so seldom that it mostly refuses before that is known.
    const settings = { GRIDCAST_HISTORY_SECONDS: '30', GRIDCAST_REFUSAL_SECONDS: String(REFUSAL_SECONDS) };
    service = await startLiveService(sites, settings);
    for (const [name, waitSeconds] of [
      ['alpha', 1],
      ['beta', 6],
    ] as const) {
      const input = { siteId: service.sites[name], content: pastMonth(() => waitSeconds) };
      const { importHistory } = await service.ask(IMPORT_HISTORY, { input });
      expect(importHistory).toMatchObject({ userErrors: [] });
    }
  });
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
    shared.remove();
  });

  test.for(REFUSALS)('$what', { timeout: 300_000 }, async ({ close, open, lostBecause, words }) => {
    await service.askUntil('alpha is chosen', ...planQuestion(), ({ plan }) => plan.chosen?.site.name === 'alpha');
    // A promise goes to where it holds processors for the shortest time, which may be either site.
    await drain('beta', true);
    const promises = [await reserve('promise-1'), await reserve('promise-2')];
    await drain('beta', false);
    expect(promises.map(({ site }) => site)).toEqual(['alpha', 'alpha']);

    alpha.mustRun(close);
    await realTime.until('alpha refuses alice', async () => !takesJobs());
    const jobs = await Promise.all(JOBS.map((n) => submit(`job-${n}`)));
    const ended = await Promise.all(jobs.map((id) => untilEnded(id)));
    expect(ended).toEqual(jobs.map(() => ({ state: 'ENDED', outcome: 'COMPLETED', site: { name: 'beta' } })));

    // One turn at a time each was refused itself, or saw that another one was; afterwards nobody asks any more.
    expect(Math.max(...(await handedToAlpha(jobs)))).toBeLessThanOrEqual(1);
    const later = await submit('later');
    expect((await untilEnded(later)).site.name).toBe('beta');
    expect(await handedToAlpha([later])).toEqual([0]);

    const { plan }: Planned = await service.ask(...planQuestion());
    const told = plan.candidates.find(({ site }) => site.name === 'alpha');
    expect(told).toMatchObject({ lostBecause, explanation: expect.stringMatching(words) });
    for (const { id } of promises) {
      const isDecided = ({ reservation }: Reserved) =>
        !['PROMISED', 'SUBMITTED', 'HOLDING'].includes(reservation.state);
      const { reservation } = await service.askUntil('it is decided', RESERVATION, { id }, isDecided, 120);
      expect(reservation).toMatchObject({ state: 'KEPT', job: { site: { name: 'beta' } } });
      expect(await handedToAlpha([reservation.job.id])).toEqual([0]);
    }

    alpha.mustRun(open);
    await realTime.until('alpha takes jobs of alice again', async () => takesJobs());
    await service.askUntil('it is offered again', ...planQuestion(), isAlphaOpen, REFUSAL_SECONDS + 60);
    const { site } = await untilEnded(await submit('afterwards'));
    expect(site.name).toBe('alpha');
  });

  /** How often each of these jobs was handed to alpha. */
  async function handedToAlpha(ids: readonly string[]): Promise<number[]> {
    const SUBMISSIONS = 'query Job($id: ID!) { job(id: $id) { submissions { site { name } } } }';
    const answers = await Promise.all(ids.map((id) => service.ask(SUBMISSIONS, { id })));
    return answers.map(({ job }: Submitted) => job.submissions.filter(({ site }) => site.name === 'alpha').length);
  }

  function takesJobs(): boolean {
    return alpha.run(['sbatch', '--test-only', '--wrap=true'], { user: 'alice' }).status === 0;
  }

  async function drain(name: string, isDrained: boolean): Promise<void> {
    const { drainSite } = await service.ask(DRAIN_SITE, { input: { id: service.sites[name], drain: isDrained } });
    expect(drainSite.userErrors).toEqual([]);
  }

  async function submit(name: string): Promise<string> {
    const { submitJob } = await service.ask(SUBMIT, { input: work(name) });
    expect(submitJob.userErrors).toEqual([]);
    return submitJob.job.id;
  }

  async function untilEnded(id: string) {
    const isOver = ({ job }: { job: { state: string } }) => job.state === 'ENDED';
    return (await service.askUntil('it has ended', JOB, { id }, isOver, 120)).job;
  }

  async function reserve(name: string): Promise<{ id: string; site: string }> {
    const startAt = new Date(Math.ceil(Date.now() / 1000 + LEAD_SECONDS) * 1000).toISOString();
    const { reserve } = await service.ask(RESERVE, { input: { ...work(name), startAt, probability: 0.5 } });
    expect(reserve.userErrors).toEqual([]);
    return { id: reserve.reservation.id, site: reserve.reservation.site.name };
  }
}

const JOB = 'query Job($id: ID!) { job(id: $id) { state outcome site { name } } }';
const RESERVATION = 'query Reservation($id: ID!) { reservation(id: $id) { state job { id site { name } } } }';
interface Reserved {
  readonly reservation: { readonly state: string };
}
const PLAN = `query Plan($input: PlanInput!) {
  plan(input: $input) { chosen { site { name } } candidates { site { name } lostBecause explanation } }
}`;
interface Submitted {
  readonly job: { readonly submissions: readonly { readonly site: { readonly name: string } }[] };
}
interface Planned {
  readonly plan: { readonly candidates: readonly { site: { name: string }; lostBecause: string | null }[] };
}

function planQuestion(): [string, object] {
  const { processors, walltimeSeconds } = work('');
  return [PLAN, { input: { processors, walltimeSeconds } }];
}

function isAlphaOpen({ plan }: Planned): boolean {
  return plan.candidates.some(({ site, lostBecause }) => site.name === 'alpha' && lostBecause === null);
}

function work(name: string) {
  return { name, script: '#!/bin/sh\nsleep 2\n', processors: 2, walltimeSeconds: 60 };
}

function siteOf(cluster: SlurmCluster, workFolder: string) {
  const { jobCompletions: file } = cluster.files;
  const accounting = cluster.spec.accounting ? {} : { accounting: { kind: 'jobcomp', file } };
  const environment = cluster.clientEnvironment('alice');
  const common = { transport: { kind: 'local' }, environment, accountingLagSeconds: 5, workFolder };
  return { name: cluster.name, adapter: 'slurm', configuration: { ...common, ...accounting } };
}
