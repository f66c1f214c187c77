import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { saveSiteFacts } from '../../../src/store/sites.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW, work } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
  const plain = {
    count: 2,
    processors: 24,
    memoryMebibytes: 65_536,
    gpus: [],
    features: ['ib'],
    queues: ['batch', 'half'],
  };
  const gpu = { ...plain, count: 1, inService: 1, processors: 16, gpus: [{ kind: 'a100', count: 4 }], queues: ['gpu'] };
  const billing = { perProcessor: 1, perGibibyte: 0, perGpu: 8 };
  const limits = { maxProcessors: null, maxWalltimeSeconds: 86_400 };
  const queues = [
    { name: 'batch', isDefault: true, ...limits },
    { name: 'gpu', isDefault: false, ...limits, allocation: { billing } },
    { name: 'half', isDefault: false, ...limits, allocation: { billing: { ...billing, perProcessor: 0.5 } } },
  ];
  const honours = ['nodes', 'tasks', 'gpus', 'gpuKind', 'memoryPerNodeMebibytes', 'licences', 'constraints'] as const;
  const facts = { processors: 64, queues, nodeShapes: [plain, gpu], licences: [{ name: 'abaqus', count: 5 }], honours };
  await saveSiteFacts(world.stores.database.db, fromGlobalId(world.sites.quick)?.id ?? '', facts, NOW);
});
afterAll(() => world.close());

const RESOURCES = `resources { nodes tasks memoryPerNodeMebibytes gpus gpuKind constraints exclusive licences { name count } }`;
const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id ${RESOURCES} } userErrors { code field message } }
}`;
const PLAN = `query Plan($input: PlanInput!) {
  plan(input: $input) { chosen { site { name } queue charge { billedProcessors neededProcessorSeconds } } candidates { site { name } queue lostBecause explanation } }
}`;
const RESERVE = `mutation Reserve($input: ReserveInput!) {
  reserve(input: $input) { reservation { id job { queue ${RESOURCES} } } userErrors { code field message } }
}`;

async function submit(resources: object, changes: object = {}) {
  const { data, errors } = await world.ask(world.tokens.gateway, SUBMIT, { input: { ...work, resources, ...changes } });
  expect(errors).toBeUndefined();
  return data.submitJob;
}

describe('resources', () => {
  test('are taken in, kept and read back', async () => {
    const asked = { gpus: 2, gpuKind: 'a100', licences: [{ name: 'abaqus', count: 2 }], memoryPerNodeMebibytes: 4096 };
    const { job, userErrors } = await submit({ ...asked, constraints: [], exclusive: false });
    expect(userErrors).toEqual([]);
    expect(job.resources).toMatchObject({ ...asked, nodes: null, constraints: [], exclusive: false });
    const { id } = fromGlobalId(job.id) ?? { id: '' };
    const row = await world.stores.database.db.execution.findUniqueOrThrow({ where: { id } });
    expect(row.resources).toEqual(asked);
    expect((await submit({})).job.resources).toBeNull();
  });

  test.each([
    ['memory of both kinds', { memoryPerNodeMebibytes: 1, memoryPerProcessorMebibytes: 1 }, 'memoryPerNodeMebibytes'],
    ['a kind without GPUs', { gpuKind: 'a100' }, 'gpuKind'],
    ['tasks that contradict processors', { tasks: 3 }, 'tasks'],
    ['more nodes than processors', { nodes: 5 }, 'nodes'],
    ['an option as a feature', { constraints: ['--exclusive'] }, 'constraints[0]'],
  ])('%s are refused and change nothing', async (_what, resources, field) => {
    const before = await world.countRows();
    const { job, userErrors } = await submit(resources);
    expect(job).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'INVALID', field: `input.resources.${field}` }]);
    expect(await world.countRows()).toEqual(before);
  });

  test.each([
    [
      'a kind that there is not',
      { gpus: 1, gpuKind: 'h100' },
      'gpuKind',
      /quick cannot .*kind h100, only a100; slow does not honour gpus/,
    ],
    ['more GPUs than there are', { gpus: 5 }, 'gpus', /5 GPUs asked for, its nodes have 4/],
    [
      'more licences than there are',
      { licences: [{ name: 'abaqus', count: 6 }] },
      'licences',
      /6 licences abaqus; it has 5/,
    ],
    [
      'what nobody honours',
      { tmpPerNodeMebibytes: 5 },
      'tmpPerNodeMebibytes',
      /quick does not honour tmpPerNodeMebibytes/,
    ],
  ])('%s are refused with what each site lacks', async (_what, resources, field, message) => {
    const { userErrors } = await submit(resources);
    const named = field === 'gpuKind' ? null : `input.resources.${field}`;
    expect(userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE', message: expect.stringMatching(message) }]);
    if (userErrors[0].field !== null) expect(userErrors[0].field).toBe(named);
  });

  test('choose the queue that has them, and say what the others lack', async () => {
    const input = { processors: 4, walltimeSeconds: 1800, resources: { gpus: 1 } };
    const { data } = await world.ask(world.tokens.gateway, PLAN, { input });
    const charge = { billedProcessors: 12, neededProcessorSeconds: 12 * 1800 };
    expect(data.plan.chosen).toMatchObject({ site: { name: 'quick' }, queue: 'gpu', charge });
    const slow = data.plan.candidates.find(({ site }: { site: { name: string } }) => site.name === 'slow');
    expect(slow).toMatchObject({ lostBecause: 'NOT_HONOURED' });
    const batch = data.plan.candidates.find(({ queue }: { queue: string }) => queue === 'batch');
    expect(batch).toMatchObject({ site: { name: 'quick' }, lostBecause: 'LACKS_RESOURCES' });
    expect(batch.explanation).toContain('queue batch of quick cannot give it gpus: none of its nodes has GPUs');
  });

  test('are limited by what the site bills for them, whatever their processors come to', async () => {
    const siteIds = [world.sites.quick];
    const gpu = await submit({ gpus: 1 }, { siteIds, maxChargeProcessorSeconds: 12 * 1800 - 1 });
    expect(gpu.userErrors).toMatchObject([
      {
        code: 'NO_ELIGIBLE_SITE',
        field: 'input.maxChargeProcessorSeconds',
        message: expect.stringMatching(/21600 processor-seconds may be charged at quick/),
      },
    ]);
    expect((await submit({ gpus: 1 }, { siteIds, maxChargeProcessorSeconds: 12 * 1800 })).userErrors).toEqual([]);
    const cheap = await submit({}, { siteIds, queue: 'half', maxChargeProcessorSeconds: 4 * 900 });
    expect(cheap.userErrors).toEqual([]);
  });

  test('are heard of by those who advise walltimes', async () => {
    const query = `query Advice($input: WalltimeAdviceInput!) {
      walltimeAdvice(input: $input) { site { name } impossibleBecause explanation requestedWait { user: predictor } }
    }`;
    const input = { processors: 4, walltimeSeconds: 1800, resources: { gpus: 1 } };
    const { data, errors } = await world.ask(world.tokens.gateway, query, { input });
    expect(errors).toBeUndefined();
    const at = (name: string) => data.walltimeAdvice.find((one: { site: { name: string } }) => one.site.name === name);
    expect(at('quick')).toMatchObject({ impossibleBecause: null, requestedWait: {} });
    expect(at('slow')).toMatchObject({ impossibleBecause: 'NOT_HONOURED' });
    const few = { input: { ...input, resources: { gpus: 1, gpuKind: 'h100' }, siteIds: [world.sites.quick] } };
    const { data: none } = await world.ask(world.tokens.gateway, query, few);
    expect(none.walltimeAdvice).toMatchObject([{ impossibleBecause: 'LACKS_RESOURCES' }]);
  });

  test('go with promises to the queue that has them', async () => {
    const input = { ...work, resources: { gpus: 1 }, startAt: moment(NOW + 6 * HOUR), probability: 0.5 };
    const { data, errors } = await world.ask(world.tokens.workflow, RESERVE, { input });
    expect(errors).toBeUndefined();
    expect(data.reserve.userErrors).toEqual([]);
    expect(data.reserve.reservation.job).toMatchObject({ queue: 'gpu', resources: { gpus: 1 } });
  });

  test('of a site are shown', async () => {
    const query = `{ sites { name honours nodeShapes { count inService processors gpus { kind count } queues } licences { name count }
      queues { name allocation { wholeNodes billing { perProcessor perGpu } } } } }`;
    const { data, errors } = await world.ask(world.tokens.gateway, query);
    expect(errors).toBeUndefined();
    const quick = data.sites.find(({ name }: { name: string }) => name === 'quick');
    expect(quick.nodeShapes[1]).toEqual({
      count: 1,
      inService: 1,
      processors: 16,
      gpus: [{ kind: 'a100', count: 4 }],
      queues: ['gpu'],
    });
    expect(quick.licences).toEqual([{ name: 'abaqus', count: 5 }]);
    expect(quick.queues[1].allocation).toEqual({ wholeNodes: false, billing: { perProcessor: 1, perGpu: 8 } });
    expect(quick.honours).toContain('gpus');
  });
});
