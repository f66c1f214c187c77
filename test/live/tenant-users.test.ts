import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { accountedUser, JOB, localConfiguration, submitAs, USERS_LAB } from './tenant-users.ts';

const missing = labMissing(USERS_LAB);
if (missing) test('jobs of two tenants are those of two users', ({ skip }) => skip(missing));
else describe('jobs of two tenants are those of two users, by commands', describeUsers);

function describeUsers(): void {
  let lab: Lab;
  let service: LiveService;

  beforeAll(async () => {
    lab = await startLab({ clusters: USERS_LAB.clusters });
    service = await startLiveService([{ name: 'alpha', adapter: 'slurm', configuration: localConfiguration(lab) }]);
  });
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
  });

  test('by the word of the accounting of the site', async () => {
    const { alpha } = service.sites;
    const biology = await service.askAs('biology');
    const jobs = [
      { ask: service.ask, user: 'alice', id: await submitAs(service.ask, alpha, 'id -un') },
      { ask: biology, user: 'bob', id: await submitAs(biology, alpha, 'id -un') },
    ];
    for (const { ask, user, id } of jobs) {
      const isOver = ({ job }: { job: { state: string } }) => job.state === 'ENDED';
      const { job } = await service.askUntil(`${user} has run`, JOB, { id }, isOver, 60, ask);
      expect(job).toMatchObject({ outcome: 'COMPLETED', submissions: [{ user }], output: { text: `${user}\n` } });
      expect(await accountedUser(lab, job.nativeId)).toBe(user);
    }
    const IDENTITIES = 'query Site($id: ID!) { site(id: $id) { identities { tenant fault } } }';
    const { site } = await service.ask(IDENTITIES, { id: alpha });
    const refused = { tenant: 'ghosts', fault: expect.stringMatching(/^AUTHENTICATION/) };
    expect(site.identities).toEqual([{ tenant: 'biology', fault: null }, refused, { tenant: 'physics', fault: null }]);
    const chemistry = await service.askAs('chemistry');
    const PLAN = `query Plan($input: PlanInput!) {
      plan(input: $input) { chosen { processors } candidates { lostBecause explanation } }
    }`;
    const { plan } = await chemistry(PLAN, { input: { processors: 1, walltimeSeconds: 60 } });
    expect(plan.chosen).toBeNull();
    const reasons = plan.candidates.map(({ lostBecause }: { lostBecause: string }) => lostBecause);
    expect(new Set(reasons)).toEqual(new Set(['NO_IDENTITY']));
  });
}
