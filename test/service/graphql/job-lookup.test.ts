import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorld, createApiWorld, moment, NOW, unknownId, work } from './api-world.ts';

const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) {
    job { id labels { name value } idempotencyKey } userErrors { code field message }
  }
}`;
const JOBS = `query Jobs($filter: JobFilterInput, $states: [JobState!]) {
  jobs(first: 100, filter: $filter, states: $states) { totalCount edges { node { id name } } }
}`;
const BY_TEXT = `query ByText($text: String!, $filter: JobFilterInput) {
  jobs(first: 100, text: $text, filter: $filter) { totalCount edges { node { name } } }
}`;
const BY_KEY = 'query ByKey($key: String!) { jobByKey(key: $key) { id name } }';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
});
afterAll(() => world.close());

async function submit(input: object, token = world.tokens.workflow) {
  const { data, errors } = await world.ask(token, SUBMIT, { input: { ...work, ...input } });
  expect(errors).toBeUndefined();
  return data.submitJob;
}

/** Names of the jobs that meet a filter, in alphabetical order. */
async function names(filter: object, token = world.tokens.workflow): Promise<string[]> {
  const { data, errors } = await world.ask(token, JOBS, { filter });
  expect(errors).toBeUndefined();
  const found = data.jobs.edges.map(({ node }: { node: { name: string } }) => node.name).sort();
  expect(data.jobs.totalCount).toBe(found.length);
  return found;
}

const label = (name: string, value: string) => ({ name, value });

describe('jobs are found by what their callers say of them', () => {
  beforeAll(async () => {
    const sweep = label('project', 'sweep');
    await submit({ name: 'a', labels: [sweep, label('step', '1')], idempotencyKey: 'key of a' });
    world.clock.advanceTo(NOW + 60);
    await submit({ name: 'b', labels: [sweep, label('step', '2=b, "quoted"')] });
    world.clock.advanceTo(NOW + 120);
    await submit({ name: 'b', idempotencyKey: 'key of b' });
    const other = { name: 'hidden', labels: [sweep], idempotencyKey: 'key of a' };
    expect((await submit(other, world.tokens.stranger)).userErrors).toEqual([]);
  });

  test('labels, all of those asked for, whole', async () => {
    expect(await names({ labels: [label('project', 'sweep')] })).toEqual(['a', 'b']);
    expect(await names({ labels: [label('project', 'sweep'), label('step', '1')] })).toEqual(['a']);
    expect(await names({ labels: [label('step', '2=b, "quoted"')] })).toEqual(['b']);
    expect(await names({ labels: [label('project', 'swee')] })).toEqual([]);
    expect(await names({ labels: [label('project', 'sweep')] }, world.tokens.stranger)).toEqual(['hidden']);
  });

  test('names, states, keys and moments, together with the older arguments', async () => {
    expect(await names({ name: 'b' })).toEqual(['b', 'b']);
    expect(await names({ name: 'B' })).toEqual([]);
    expect(await names({ states: ['REQUESTED'] })).toEqual(['a', 'b', 'b']);
    expect(await names({ outcomes: ['FAILED'] })).toEqual([]);
    expect(await names({ idempotencyKey: 'key of a' })).toEqual(['a']);
    expect(await names({ submittedAfter: moment(NOW + 60) })).toEqual(['b', 'b']);
    expect(await names({ submittedAfter: moment(NOW + 60), submittedBefore: moment(NOW + 120) })).toEqual(['b']);
    expect(await names({ endedBefore: moment(NOW + 999) })).toEqual([]);
    expect(await names({ siteId: world.sites.quick })).toEqual([]);
    const both = await world.ask(world.tokens.workflow, JOBS, { filter: { states: ['REQUESTED'] }, states: ['ENDED'] });
    expect(both.data.jobs.totalCount).toBe(0);
  });

  test('one job by its key, of the own tenant only', async () => {
    const find = async (key: string, token = world.tokens.workflow) =>
      (await world.ask(token, BY_KEY, { key })).data.jobByKey;
    expect((await find('key of a')).name).toBe('a');
    expect((await find('key of a', world.tokens.stranger)).name).toBe('hidden');
    expect(await find('key of b', world.tokens.stranger)).toBeNull();
    expect(await find('no\0key')).toBeNull();
  });

  test('a job tells its labels and its key', async () => {
    const { job } = await submit({ name: 'told', labels: [label('x', '')], idempotencyKey: 'told' });
    expect(job).toMatchObject({ labels: [label('x', '')], idempotencyKey: 'told' });
  });

  test('a text that their name, key or a label holds, as it is and not as a pattern', async () => {
    const found = async (text: string, filter: object = {}, token = world.tokens.workflow) => {
      const { data } = await world.ask(token, BY_TEXT, { text, filter });
      expect(data.jobs.totalCount).toBe(data.jobs.edges.length);
      return data.jobs.edges.map(({ node }: { node: { name: string } }) => node.name).sort();
    };
    expect(await found('KEY OF')).toEqual(['a', 'b']);
    expect(await found('ject=SWEE')).toEqual(['a', 'b']);
    expect(await found('2=b, "quo')).toEqual(['b']);
    expect(await found('ject=swee', { labels: [label('step', '1')] })).toEqual(['a']);
    for (const pattern of ['%', '_', 'a\\', "' OR 1=1 --"]) expect(await found(pattern)).toEqual([]);
    expect(await found('key of', {}, world.tokens.stranger)).toEqual(['hidden']);
    for (const text of ['', 'x'.repeat(201), 'a\0']) {
      const { errors } = await world.ask(world.tokens.workflow, BY_TEXT, { text });
      expect(errors?.[0].extensions).toMatchObject({ code: 'INVALID', field: 'text' });
    }
  });

  test('a filter that names nothing of the caller is refused, or finds nothing', async () => {
    const wrong = await world.ask(world.tokens.workflow, JOBS, { filter: { groupId: unknownId('Job') } });
    expect(wrong.errors?.[0].extensions).toMatchObject({ code: 'NOT_FOUND', field: 'filter.groupId' });
    expect(await names({ groupId: unknownId('JobGroup') })).toEqual([]);
    const nul = await world.ask(world.tokens.workflow, JOBS, { filter: { name: 'a\0' } });
    expect(nul.errors?.[0].extensions.code).toBe('INVALID');
  });
});

test('labels that cannot be are refused by their place, and nothing is written', async () => {
  const before = await world.countRows();
  const cases: readonly [object[], string][] = [
    [[label('', 'x')], 'input.labels[0].name'],
    [[label('a=b', 'x')], 'input.labels[0].name'],
    [[label('a', 'x'), label('a', 'y')], 'input.labels[1].name'],
    [[label('a', 'x'.repeat(201))], 'input.labels[0].value'],
    [[label('a', 'line\nbreak')], 'input.labels[0].value'],
    [Array.from({ length: 21 }, (_, index) => label(`l${index}`, '')), 'input.labels'],
  ];
  for (const [labels, field] of cases) {
    const { job, userErrors } = await submit({ labels });
    expect(job).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'INVALID', field }]);
  }
  expect(await world.countRows()).toEqual(before);
});
