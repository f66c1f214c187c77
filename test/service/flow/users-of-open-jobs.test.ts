import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { updateSite } from '../../../src/commands/update-site.ts';
import { saveIdentityCheck } from '../../../src/store/identities.ts';
import { findSite } from '../../../src/store/sites.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

/** A Slurm site where the tenants have these users. */
const asUsers = (users: Record<string, string>) => ({
  transport: { kind: 'local' },
  workFolder: '/home/gridcast',
  identity: 'PER_TENANT',
  identities: Object.fromEntries(Object.entries(users).map(([tenant, user]) => [tenant, { user }])),
});
const AS_GATEWAY = { transport: { kind: 'local' }, workFolder: '/home/gridcast' };

/** A site with a job of the tenant physics that runs there as a user; null for the gateway's own. */
async function withJobOf(user: string | null) {
  world = await createIdleWorld(70, 'east');
  const { db } = world.database;
  const siteId = world.siteIds.get('east') as string;
  const { executionId } = await submitJob(world.commands, world.principal, {
    ...WORK,
    name: 'runs',
    siteIds: [],
    deadlineAt: null,
  });
  const isRunning = async () => (await db.execution.findUnique({ where: { id: executionId } }))?.state === 'RUNNING';
  await world.until('it runs', isRunning);
  const configuration = user === null ? AS_GATEWAY : asUsers({ physics: user, biology: 'bob' });
  await db.submission.updateMany({ data: { user } });
  await db.site.update({ where: { id: siteId }, data: { adapter: 'slurm', configuration } });
  const change = (configuration: object) =>
    updateSite(world.commands, world.principal, { siteId, name: null, configuration, idempotencyKey: null });
  return { siteId, change };
}

test('a tenant whose jobs are at a site keeps its user there, and whose are not may have another', async () => {
  const { siteId, change } = await withJobOf('alice');
  const before = await findSite(world.database.db, siteId);
  for (const other of [asUsers({ physics: 'carol', biology: 'bob' }), asUsers({ biology: 'bob' }), AS_GATEWAY]) {
    await expect(change(other)).rejects.toMatchObject({
      code: 'SITE_IN_USE',
      field: 'input.configuration',
      message: expect.stringMatching(/^one job of physics is at east as alice.*drain/),
    });
  }
  expect(await findSite(world.database.db, siteId)).toEqual(before);
  await change(asUsers({ physics: 'alice', biology: 'dave', chemistry: 'carol' }));
  await world.database.db.execution.updateMany({ data: { state: 'ENDED' } });
  await change(asUsers({ physics: 'carol' }));
});

test('a job that was handed in as the gateway stays its own', async () => {
  const { change } = await withJobOf(null);
  await expect(change(asUsers({ physics: 'alice' }))).rejects.toMatchObject({
    message: expect.stringMatching(/^one job of physics is at east as the gateway/),
  });
  await change({ ...AS_GATEWAY, workFolder: '/srv/gridcast' });
});

test('an account that does not work any more keeps nobody from getting another one', async () => {
  const { siteId, change } = await withJobOf('alice');
  const check = { siteId, tenant: 'physics', user: 'alice', fault: 'AUTHENTICATION' } as const;
  await saveIdentityCheck(world.database.db, check, world.clock.now());
  await change(asUsers({ physics: 'carol' }));
});
