import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSlurmAdapter } from '../../adapters/slurm/slurm.ts';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { RESERVE, SUBMIT } from '../service/graphql/documents.ts';
import { openFolder, realTime } from './conformance/real-site.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { realClient, SLURM_LAB, SLURM_WAYS, slurmConfig, writeClient } from './slurm-ways.ts';

const missing = labMissing(SLURM_LAB);

/** Partitions over all nodes, by what is special about them. */
const PARTITIONS = {
  chemonly: ['allowaccounts=chem'],
  physonly: ['allowaccounts=phys,chem'],
  notphys: ['denyaccounts=phys'],
  slowonly: ['allowqos=slow'],
  notslow: ['denyqos=slow'],
  notnormal: ['denyqos=normal'],
  rootonly: ['rootonly=yes'],
  reserved: ['reqresv=yes'],
};

describe.skipIf(missing !== null)(`queues that are not for us, down, or short of nodes ${missing ?? ''}`, () => {
  let lab: Lab;
  const folder = openFolder();
  const scontrol = (...words: string[]) => lab.cluster('alpha').mustRun(['scontrol', ...words]);
  const sacctmgr = (...words: string[]) => lab.cluster('alpha').mustRun(['sacctmgr', '--immediate', ...words]);

  beforeAll(async () => {
    lab = await startLab(SLURM_LAB);
    sacctmgr('add', 'account', 'phys', 'chem');
    sacctmgr('add', 'user', 'alice', 'account=phys');
    sacctmgr('add', 'user', 'bob', 'account=chem');
    sacctmgr('add', 'qos', 'slow');
    for (const [name, words] of Object.entries(PARTITIONS)) {
      scontrol('create', `partitionname=${name}`, 'nodes=ALL', ...words);
    }
    scontrol('create', 'partitionname=pair', 'nodes=alpha[1-2]', 'maxtime=60');
    scontrol('update', 'nodename=alpha2', 'state=drain', 'reason=broken');
    const far = ['starttime=now+20hours', 'duration=60', 'flags=maint', 'nodes=alpha1', 'users=root'];
    scontrol('create', 'reservation', 'reservationname=far', ...far);
    scontrol('update', 'partitionname=short', 'state=down');
  });
  afterAll(async () => {
    await lab?.stop();
    folder.remove();
  });

  test.each(SLURM_WAYS)('are facts, by %s', async (way) => {
    const adapter = createSlurmAdapter(slurmConfig(lab, way, folder.path));
    try {
      await realTime.until('the drain is seen', async () => (await adapter.snapshot()).processors === 12);
      const { queues, processors, maintenance } = await adapter.facts();
      expect(processors).toBe(16);
      const bars = Object.fromEntries(queues.map(({ name, bar, unusableBecause }) => [name, [bar, unusableBecause]]));
      const open = [null, null];
      expect(bars).toEqual({
        batch: open,
        pair: open,
        short: ['DOWN', 'its state is DOWN'],
        chemonly: ['FORBIDDEN', 'it takes no jobs of account phys'],
        physonly: open,
        notphys: ['FORBIDDEN', 'it takes no jobs of account phys'],
        slowonly: ['FORBIDDEN', 'it takes no jobs of QOS normal, which ours have'],
        notslow: open,
        notnormal: ['FORBIDDEN', 'it takes no jobs of QOS normal, which ours have'],
        rootonly: ['FORBIDDEN', 'it takes jobs of root only'],
        reserved: ['FORBIDDEN', 'it takes only jobs that have a reservation'],
      });
      expect(maintenance).toMatchObject([{ processors: 4, queues: { batch: 4, short: 4, pair: 4, chemonly: 4 } }]);
      const pair = queues.find(({ name }) => name === 'pair');
      expect(pair).toMatchObject({ processors: 8, maxProcessors: 8, usableProcessors: 4 });
      for (const name of Object.keys(PARTITIONS)) agreeWithSbatch(name, bars[name]?.[0] === null);
    } finally {
      await adapter.close();
    }
  });

  test('stay as they are while accounting cannot be asked', async () => {
    const clients = join(folder.path, 'clients');
    mkdirSync(clients);
    const away = join(clients, 'away');
    const real = realClient(lab, 'commands', 'sacctmgr');
    writeClient(clients, 'sacctmgr', `#!/bin/sh\n[ -e '${away}' ] && exit 1\nexec '${real}' "$@"\n`);
    const adapter = createSlurmAdapter(slurmConfig(lab, 'commands', folder.path, { clients }));
    try {
      const before = await adapter.facts();
      writeFileSync(away, '');
      expect(await adapter.facts()).toEqual(before);
      expect(before.queues.find(({ name }) => name === 'chemonly')?.bar).toBe('FORBIDDEN');
    } finally {
      await adapter.close();
    }
  });

  /** Slurm itself says the same of a job of alice. */
  function agreeWithSbatch(partition: string, isOpen: boolean): void {
    const job = ['sbatch', '--test-only', `--partition=${partition}`, '--time=1', '--wrap=true'];
    const { status } = lab.cluster('alpha').run(job, { user: 'alice' });
    expect([partition, status === 0]).toEqual([partition, isOpen]);
  }

  describe('in the service', () => {
    let service: LiveService;
    beforeAll(async () => {
      const site = { name: 'alpha', adapter: 'slurm', configuration: slurmConfig(lab, 'commands', folder.path) };
      service = await startLiveService([site]);
    });
    afterAll(() => service?.close());

    const JOB = 'query Job($id: ID!) { job(id: $id) { state outcome reason submissions { key } } }';
    const PLAN = `query Plan($input: PlanInput!) {
      plan(input: $input) { chosen { site { name } } candidates { lostBecause explanation } }
    }`;
    const work = { processors: 8, walltimeSeconds: 60 };

    async function whyNot(queue: string) {
      const { plan } = await service.ask(PLAN, { input: { ...work, queue } });
      return plan.candidates[0];
    }

    test('are never planned with, and the plan says why', async () => {
      expect(await whyNot('batch')).toMatchObject({ lostBecause: null });
      expect(await whyNot('chemonly')).toEqual({
        lostBecause: 'QUEUE_FORBIDDEN',
        explanation:
          'queue chemonly of alpha takes none of our jobs that name no account of their own: ' +
          'it takes no jobs of account phys',
      });
      expect(await whyNot('short')).toMatchObject({ lostBecause: 'QUEUE_DOWN' });
      expect(await whyNot('pair')).toEqual({
        lostBecause: 'TOO_FEW_USABLE',
        explanation: '8 processors asked for, queue pair of alpha has 4 in service',
      });
    });

    test('whose nodes are set aside promise nothing into that time, though the site has others', async () => {
      const window = ['starttime=now+30minutes', 'duration=60', 'flags=maint', 'nodes=alpha[1-2]', 'users=root'];
      scontrol('create', 'reservation', 'reservationname=half', ...window);
      const SITE = 'query Site($id: ID!) { site(id: $id) { maintenance { processors } } }';
      const isTold = (data: { site: { maintenance: unknown[] } }) => data.site.maintenance.length === 2;
      await service.askUntil('the window is told', SITE, { id: service.sites.alpha }, isTold);
      const PUT_OFF = `query Forecasts($queue: String!) {
        forecasts(input: { processors: 2, walltimeSeconds: 3600, queue: $queue }) {
          forecast { putOff { startAt explanation maintenance { endAt } } }
        }
      }`;
      const putOffIn = async (queue: string) => (await service.ask(PUT_OFF, { queue })).forecasts[0].forecast.putOff;
      const inPair = await putOffIn('pair');
      expect(inPair.startAt).toBe(inPair.maintenance.endAt);
      expect(inPair.explanation).toContain('alpha has set 8 processors aside, 8 of them of queue pair, from');
      expect(await putOffIn('batch')).toBeNull();
      const promise = { name: 'p', script: '#!/bin/sh\ntrue\n', processors: 2, walltimeSeconds: 60, probability: 0.1 };
      const startAt = new Date(Date.now() + 2700_000).toISOString();
      const { reserve } = await service.ask(RESERVE, { input: { ...promise, startAt, queue: 'pair' } });
      expect(reserve.userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE', field: 'input.startAt' }]);
      const other = await service.ask(RESERVE, { input: { ...promise, startAt, queue: 'batch' } });
      expect(other.reserve.userErrors[0]?.code).not.toBe('NO_ELIGIBLE_SITE');
      scontrol('delete', 'reservationname=half');
    }, 90_000);

    test('of which nodes are drained or down have jobs wait here until they are back', async () => {
      const input = { ...work, name: 'wide', script: '#!/bin/sh\ntrue\n', queue: 'pair' };
      const { submitJob } = await service.ask(SUBMIT, { input });
      expect(submitJob.userErrors).toEqual([]);
      const { id } = submitJob.job;
      const waits = await service.askUntil('it waits', JOB, { id }, ({ job }) => /in service/.test(job.reason ?? ''));
      expect(waits.job).toMatchObject({ state: 'REQUESTED', submissions: [] });
      scontrol('update', 'nodename=alpha2', 'state=resume');
      const ended = await service.askUntil('it has ended', JOB, { id }, ({ job }) => job.state === 'ENDED');
      expect(ended.job).toMatchObject({ outcome: 'COMPLETED' });
    }, 120_000);

    test('are seen within a minute when an administrator changes them', async () => {
      scontrol('update', 'partitionname=physonly', 'allowaccounts=chem');
      const bars = 'query Site($id: ID!) { site(id: $id) { queues { name bar } } }';
      type Data = { site: { queues: { name: string; bar: string | null }[] } };
      const isClosed = ({ site: { queues } }: Data) => queues.some(({ name, bar }) => name === 'physonly' && bar);
      await service.askUntil('it is closed', bars, { id: service.sites.alpha }, isClosed);
    }, 90_000);
  });
});
