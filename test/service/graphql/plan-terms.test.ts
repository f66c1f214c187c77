import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dryRunPlan } from '../../../src/commands/dry-run-plan.ts';
import { fromGlobalId, toGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { savePlan } from '../../../src/store/plans.ts';
import { createSite, saveSiteFacts } from '../../../src/store/sites.ts';
import { type ApiWorld, createApiWorld, moment, NOW, unknownId, work } from './api-world.ts';
import { RESERVE, SUBMIT } from './documents.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
  await tag(world.sites.slow, ['gaussian/16', 'scratch-nvme']);
});
afterAll(() => world.close());

const PARTS = `madeAt objective chosen { site { name } }
  finishBySize { site { name } queue processors walltimeSeconds finishAt lowAt highAt chargeProcessorSeconds isChosen }
  candidates { site { name } lostBecause explanation score risk responseSeconds costProcessorSeconds
    beforeChosenProbability
    waitIntervals { probability lowSeconds highSeconds } runtimeIntervals { probability lowSeconds highSeconds }
    finishIntervals { probability lowSeconds highSeconds } }`;
const PLAN = `query Plan($input: PlanInput!) { plan(input: $input) { ${PARTS} } }`;
const UPDATE = `mutation Update($input: UpdateSiteInput!) {
  updateSite(input: $input) { site { tags } userErrors { code field message } }
}`;
const size = { processors: 4, walltimeSeconds: 3600, queue: 'batch' };

async function tag(id: string, tags: readonly string[]) {
  const { data } = await world.ask(world.tokens.admin, UPDATE, { input: { id, tags } });
  return data.updateSite;
}

async function plan(input: object) {
  const { data, errors } = await world.ask(world.tokens.gateway, PLAN, { input: { ...size, ...input } });
  expect(errors).toBeUndefined();
  type Candidate = { site: { name: string }; lostBecause: string | null; explanation: string };
  const byName = new Map((data.plan.candidates as Candidate[]).map((one) => [one.site.name, one]));
  return { ...data.plan, byName };
}

describe('tags', () => {
  test('are set by admins and shown to everybody', async () => {
    const { data } = await world.ask(world.tokens.gateway, '{ sites { name tags } }');
    expect(data.sites).toEqual([
      { name: 'quick', tags: [] },
      { name: 'slow', tags: ['gaussian/16', 'scratch-nvme'] },
      { name: 'stale', tags: [] },
    ]);
    const { errors, data: refused } = await world.ask(world.tokens.gateway, UPDATE, {
      input: { id: world.sites.quick, tags: ['orca'] },
    });
    expect(errors ?? refused.updateSite.userErrors).toMatchObject([{}]);
  });

  test('that are required keep the other sites out, each told what it lacks', async () => {
    const { chosen, byName } = await plan({ requiredTags: ['gaussian/16'] });
    expect(chosen.site.name).toBe('slow');
    expect(byName.get('quick')).toMatchObject({
      lostBecause: 'MISSING_TAG',
      explanation: 'quick lacks the tag gaussian/16; it has none',
    });
  });

  test('that no site has are refused with the field, of jobs and of promises', async () => {
    const input = { ...work, requiredTags: ['orca'] };
    const refusal = [{ code: 'NO_ELIGIBLE_SITE', field: 'input.requiredTags' }];
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input });
    expect(data.submitJob.userErrors).toMatchObject(refusal);
    expect(data.submitJob.userErrors[0].message).toMatch(/slow lacks the tag orca; it has gaussian\/16, scratch-nvme/);
    const terms = { startAt: moment(NOW + 6 * 3600), probability: 0.5 };
    const { data: promised } = await world.ask(world.tokens.workflow, RESERVE, { input: { ...input, ...terms } });
    expect(promised.reserve.userErrors).toMatchObject(refusal);
  });

  test.each([
    ['an odd one', ['rm -rf /'], /begins with a letter or digit.*got "rm -rf/],
    ['none by name', [''], /begins with a letter or digit/],
    ['one twice', ['a', 'a'], /names a twice/],
    ['too many', Array.from({ length: 65 }, (_, n) => `t${n}`), /has 65 tags, at most 64/],
  ])('with %s are refused by site, plan and job', async (_, tags, message) => {
    const update = await tag(world.sites.quick, tags);
    expect(update.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.tags' }]);
    expect(update.userErrors[0].message).toMatch(message);
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, requiredTags: tags } });
    expect(data.submitJob.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.requiredTags' }]);
    const { errors } = await world.ask(world.tokens.gateway, PLAN, { input: { ...size, requiredTags: tags } });
    expect(errors?.[0].message).toMatch(message);
  });
});

describe('sites that are excluded', () => {
  test('are not looked at', async () => {
    const { chosen, byName } = await plan({ excludeSiteIds: [world.sites.quick] });
    expect(chosen.site.name).toBe('slow');
    expect([...byName.keys()]).toEqual(['slow', 'stale']);
  });

  test('are refused when there is no such site, or none is left', async () => {
    const submit = async (change: object) => {
      const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, ...change } });
      return data.submitJob.userErrors;
    };
    expect(await submit({ excludeSiteIds: [unknownId('Site')] })).toMatchObject([
      { code: 'NOT_FOUND', field: 'input.excludeSiteIds[0]' },
    ]);
    expect(await submit({ siteIds: [world.sites.quick], excludeSiteIds: [world.sites.quick] })).toMatchObject([
      { code: 'INVALID', field: 'input.excludeSiteIds' },
    ]);
    expect(await submit({ excludeSiteIds: [] })).toEqual([]);
  });
});

describe('objectives and limits', () => {
  test('unless told the earliest finish is chosen', async () => {
    const { objective, chosen, byName } = await plan({});
    expect({ objective, site: chosen.site.name }).toEqual({ objective: 'EARLIEST_FINISH', site: 'quick' });
    expect(byName.get('quick')).toMatchObject({ score: expect.any(Number), risk: expect.any(Number) });
    expect(byName.get('slow')).toMatchObject({ lostBecause: 'SLOWER', beforeChosenProbability: 0 });
    expect(byName.get('slow')?.explanation).toMatch(/; the chosen one ends first with probability 1$/);
  });

  test('the earliest start is told in the time until then', async () => {
    const { objective, byName } = await plan({ objective: 'EARLIEST_START' });
    expect(objective).toBe('EARLIEST_START');
    expect(byName.get('slow')?.lostBecause).toBe('STARTS_LATER');
    expect((byName.get('quick') as unknown as { score: number }).score).toBeLessThan(600);
  });

  test('of equal charges the earliest finish is chosen', async () => {
    const { chosen, byName } = await plan({ objective: 'LEAST_CHARGE' });
    expect(chosen.site.name).toBe('quick');
    expect(byName.get('quick')).toMatchObject({ score: 4 * 3600 });
    expect(byName.get('slow')?.explanation).toMatch(/^charge as at quick, 14400 processor-seconds; predicted response/);
  });

  test('a cap on the charge keeps out what may cost more', async () => {
    const { chosen, byName } = await plan({ maxChargeProcessorSeconds: 14_399 });
    expect(chosen).toBeNull();
    expect(byName.get('quick')?.lostBecause).toBe('CHARGE_BEYOND_LIMIT');
    expect((await plan({ maxChargeProcessorSeconds: 14_400 })).chosen.site.name).toBe('quick');
  });

  test('a cap on the risk lets through what ends long before its walltime', async () => {
    // Every job ran half an hour.
    expect((await plan({ maxRisk: 0.05 })).chosen.site.name).toBe('quick');
  });

  test.each([
    ['a charge of nothing', { maxChargeProcessorSeconds: 0 }, 'input.maxChargeProcessorSeconds'],
    ['no risk at all', { maxRisk: 0 }, 'input.maxRisk'],
    ['any risk', { maxRisk: 1 }, 'input.maxRisk'],
  ])('%s is refused by its field', async (_, change, field) => {
    const before = await world.countRows();
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, ...change } });
    expect(data.submitJob.userErrors).toMatchObject([{ code: 'INVALID', field }]);
    const { errors } = await world.ask(world.tokens.gateway, PLAN, { input: { ...size, ...change } });
    expect(errors).toMatchObject([{ extensions: { field } }]);
    expect(await world.countRows()).toEqual(before);
  });

  test('a job that may be charged more wherever it runs is not taken in', async () => {
    const input = { ...work, maxChargeProcessorSeconds: 7199 };
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input });
    const [fault] = data.submitJob.userErrors;
    expect(fault).toMatchObject({ code: 'NO_ELIGIBLE_SITE', field: 'input.maxChargeProcessorSeconds' });
    expect(fault.message).toMatch(/7200 processor-seconds may be charged at quick, .* allows 7199/);
  });

  test('are written down with the job', async () => {
    const terms = { objective: 'LEAST_CHARGE', maxChargeProcessorSeconds: 9000, maxRisk: 0.2 };
    const input = { ...work, ...terms, requiredTags: ['gaussian/16'], excludeSiteIds: [world.sites.stale] };
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input });
    expect(data.submitJob.userErrors).toEqual([]);
    const id = fromGlobalId(data.submitJob.job.id)?.id ?? '';
    expect(await world.stores.database.db.execution.findUniqueOrThrow({ where: { id } })).toMatchObject({
      ...terms,
      requiredTags: ['gaussian/16'],
      excludedSiteIds: [fromGlobalId(world.sites.stale)?.id],
    });
  });
});

describe('why', () => {
  test('every option shows between which times it waits, runs and ends', async () => {
    const { byName, finishBySize } = await plan({});
    const quick = byName.get('quick') as unknown as Record<string, { probability: number; lowSeconds: number }[]>;
    for (const name of ['waitIntervals', 'runtimeIntervals', 'finishIntervals']) {
      expect(quick[name]?.map(({ probability }) => probability)).toEqual([0.5, 0.9]);
      const [half, most] = quick[name] ?? [];
      expect(most?.lowSeconds).toBeLessThanOrEqual(half?.lowSeconds ?? 0);
    }
    expect(byName.get('stale')).toMatchObject({ waitIntervals: [], finishIntervals: [], score: null, risk: null });
    expect(finishBySize).toMatchObject([
      { site: { name: 'quick' }, processors: 4, isChosen: true, chargeProcessorSeconds: 14_400 },
      { site: { name: 'slow' }, processors: 4, isChosen: false },
    ]);
    const [{ lowAt, finishAt, highAt }] = finishBySize;
    expect([lowAt, finishAt, highAt].toSorted()).toEqual([lowAt, finishAt, highAt]);
  });

  test('is kept with the job, the same as it was', async () => {
    const { commands, principal } = world;
    const asked = { ...size, siteIds: [], deadlineAt: null };
    const { plan: made } = await dryRunPlan(commands, principal, { ...asked, objective: 'EARLIEST_START' });
    const { data } = await world.ask(world.tokens.gateway, SUBMIT, { input: work });
    const { id } = data.submitJob.job;
    await world.stores.database.transaction((tx) => savePlan(tx, fromGlobalId(id)?.id ?? '', made, []));
    const job = await world.ask(world.tokens.gateway, `query Job($id: ID!) { job(id: $id) { plan { ${PARTS} } } }`, {
      id,
    });
    const { byName: _byName, ...fresh } = await plan({ objective: 'EARLIEST_START' });
    expect(job.data.job.plan).toEqual(fresh);
  });
});

test('a cap on the risk keeps out a site where nobody knows how long such jobs run', async () => {
  const { db } = world.stores.database;
  const { id } = await createSite(db, { name: 'fresh', adapter: 'simulator', configuration: {}, now: NOW - 100 });
  const queue = { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 86_400 };
  await saveSiteFacts(db, id, { processors: 64, queues: [queue] }, NOW);
  await db.site.update({ where: { id }, data: { observedAt: new Date(NOW * 1000) } });
  const { chosen, byName } = await plan({ maxRisk: 0.05, siteIds: [toGlobalId('Site', id)] });
  expect(chosen).toBeNull();
  expect(byName.get('fresh')).toMatchObject({ lostBecause: 'RISK_BEYOND_LIMIT', risk: null });
  expect(byName.get('fresh')?.explanation).toMatch(/too little is known of such jobs at fresh.*maxRisk allows 5 %/);
});
