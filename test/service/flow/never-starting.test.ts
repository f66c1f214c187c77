import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import type { Snapshot } from '../../../src/domain/snapshot.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { ensurePrincipal, ensureTenant, type Principal } from '../../../src/store/principals.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, WORK } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const LIMIT = 'AssocMaxCpuPerJobLimit';
const MOST = 8;

/** What a site shows that takes in larger jobs than it ever starts, as Slurm does unless told to deny them. */
function withLimit({ waiting, running, ...rest }: Snapshot): Snapshot {
  const isStuck = ({ key, processors }: Snapshot['waiting'][number]) => key !== null && processors > MOST;
  const stuck = running.filter(isStuck).map(({ startAt: _startAt, ...job }) => ({ ...job, reason: LIMIT }));
  return { ...rest, waiting: [...waiting, ...stuck], running: running.filter((job) => !isStuck(job)) };
}

async function submit(name: string, processors: number, siteIds: readonly string[] = []): Promise<string> {
  const wish = { ...WORK, processors, siteIds: [...siteIds], name, deadlineAt: null };
  return (await submitJob(world.commands, world.principal, wish)).executionId;
}

const row = async (id: string) => (await findExecution(world.database.db, id)) as ExecutionRow;

test('of two tenants whose jobs are alike and never start each is told', async () => {
  world = await createIdleWorld(75, 'east');
  const { db } = world.database;
  const tenantId = await ensureTenant(db, 'biology', world.clock.now());
  const id = await ensurePrincipal(db, tenantId, 'bob', 'WORKFLOW');
  const other: Principal = { id, tenantId, tenantName: 'biology', name: 'bob', role: 'WORKFLOW' };
  for (const principal of [world.principal, world.principal, other]) {
    await submitJob(world.commands, principal, {
      ...WORK,
      processors: 12,
      siteIds: [],
      name: 'stuck',
      deadlineAt: null,
    });
  }
  const adapter = (plain: SiteAdapter) => ({ ...plain, snapshot: async () => withLimit(await plain.snapshot()) });
  const areNoted = async () => (await db.refusal.findMany()).length >= 2;
  await world.until('both are noted', areNoted, world.worker({ adapter }));
  const noted = await db.refusal.findMany();
  expect(noted.map((refusal) => refusal.tenantId).sort()).toEqual([world.principal.tenantId, tenantId].sort());
});

test('a job that its site takes in and never starts keeps others like it from going there', async () => {
  world = await createIdleWorld(75, 'east', 'west');
  const [east = '', west = ''] = ['east', 'west'].map((name) => world.siteIds.get(name) ?? '');
  const adapter = (plain: SiteAdapter, site: string): SiteAdapter =>
    site === 'east' ? { ...plain, snapshot: async () => withLimit(await plain.snapshot()) } : plain;
  const worker = world.worker({ adapter });
  const stuck = await submit('stuck', 12, [east]);
  const isNoted = async () => (await world.database.db.refusal.count()) > 0;
  await world.until('its site is seen to keep it waiting', isNoted, worker);
  expect(await row(stuck)).toMatchObject({ state: 'QUEUED' });
  await expect(submit('pinned', 16, [east])).rejects.toThrow(LIMIT);
  const ids = [await submit('as large', 12), await submit('small', 4, [east])];
  const areSettled = async () => (await Promise.all(ids.map(row))).every(({ settledAt }) => settledAt !== null);
  await world.until('the others are settled', areSettled, worker);
  const [large, small] = await Promise.all(ids.map(row));
  expect(large).toMatchObject({ outcome: 'COMPLETED', siteId: west });
  expect(small).toMatchObject({ outcome: 'COMPLETED', siteId: east });
});
