import { afterEach, expect, test } from 'vitest';
import { submitJob } from '../../../src/commands/submit-job.ts';
import { Rejected } from '../../../src/domain/failures.ts';
import type { SiteAdapter } from '../../../src/domain/site-adapter.ts';
import { type ExecutionRow, findExecution } from '../../../src/store/executions.ts';
import { takingAtMost } from './full-site.ts';
import type { SteppedWorld } from './stepped-world.ts';
import { createIdleWorld, SHORT_WORK } from './usual-work.ts';

let world: SteppedWorld;
afterEach(() => world.close());

const FULL = 'Job violates accounting/QOS policy (job submit limit, user’s size and/or time limits)';

async function submit(name: string, changes: object = {}): Promise<string> {
  const asked = { ...SHORT_WORK, siteIds: [] as string[], ...changes, name, deadlineAt: null };
  return (await submitJob(world.commands, world.principal, asked)).executionId;
}

async function rowsOf(ids: readonly string[]): Promise<ExecutionRow[]> {
  return (await Promise.all(ids.map((id) => findExecution(world.database.db, id)))) as ExecutionRow[];
}

test('a site that takes so many jobs at a time is given the next one as soon as one has ended', async () => {
  world = await createIdleWorld(72, 'east');
  const { adapter, refused } = takingAtMost(3, `AssocMaxSubmitJobLimit; ${FULL}`);
  const ids = await Promise.all(Array.from({ length: 9 }, (_, n) => submit(`job ${n}`)));
  const areSettled = async () => (await rowsOf(ids)).every(({ settledAt }) => settledAt !== null);
  await world.until('all are settled', areSettled, world.worker({ adapter }));
  const rows = await rowsOf(ids);
  expect(rows.every(({ outcome }) => outcome === 'COMPLETED')).toBe(true);
  expect(refused()).toBeGreaterThan(0);
  expect(refused()).toBeLessThan(30);
  const lasted = Math.max(...rows.map(({ endedAt }) => endedAt ?? 0)) - Math.min(...rows.map((row) => row.createdAt));
  // Each has ended at the next look of five minutes; a refusal counts for a quarter of an hour.
  expect(lasted).toBeLessThan(20 * 60);
});

test('the limit of an account keeps out its own jobs alone, after one try', async () => {
  world = await createIdleWorld(73, 'east');
  let refused = 0;
  const adapter = (plain: SiteAdapter): SiteAdapter => ({
    ...plain,
    capabilities: { ...plain.capabilities, honours: ['account'] },
    async submit(spec, key) {
      if (spec.terms?.account !== 'full') return plain.submit(spec, key);
      refused++;
      throw new Rejected('refused', `AssocMaxSubmitJobLimit; ${FULL}`);
    },
  });
  const worker = world.worker({ adapter });
  await world.database.db.site.updateMany({ data: { honours: ['account'] } });
  const [first = ''] = await Promise.all([submit('first', { terms: { account: 'full' } })]);
  const isTold = async () => (await rowsOf([first]))[0]?.reason?.includes('AssocMaxSubmitJobLimit') ?? false;
  await world.until('the first is refused', isTold, worker);
  const asked = [{ terms: { account: 'full' } }, { terms: { account: 'other' } }, {}];
  const ids = await Promise.all(asked.map((changes, n) => submit(`after ${n}`, changes)));
  const others = ids.slice(1);
  const areSettled = async () => (await rowsOf(others)).every(({ settledAt }) => settledAt !== null);
  await world.until('the others are settled', areSettled, worker);
  expect((await rowsOf(others)).map(({ outcome }) => outcome)).toEqual(['COMPLETED', 'COMPLETED']);
  expect((await rowsOf(ids))[0]).toMatchObject({ state: 'REQUESTED' });
  expect(refused).toBe(1);
});
