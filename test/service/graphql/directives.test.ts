import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromGlobalId } from '../../../src/graphql/shared/global-id.ts';
import { saveSiteFacts } from '../../../src/store/sites.ts';
import { type ApiWorld, createApiWorld, HOUR, moment, NOW } from './api-world.ts';

let world: ApiWorld;
beforeAll(async () => {
  world = await createApiWorld();
  const id = fromGlobalId(world.sites.quick)?.id ?? '';
  const queue = { name: 'batch', isDefault: true, maxProcessors: null, maxWalltimeSeconds: 86_400 };
  await saveSiteFacts(world.stores.database.db, id, { processors: 64, queues: [queue], honours: HONOURS }, NOW);
});
afterAll(() => world.close());

const PARTS = 'directives { line system text meaning request value honoured warning }';
const SUBMIT = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id name processors walltimeSeconds queue ${PARTS} } warnings userErrors { code field message } }
}`;
const PLAN = `query Plan($input: PlanInput!) { plan(input: $input) { chosen { processors walltimeSeconds } ${PARTS} } }`;
const script = '#!/bin/sh\n#SBATCH -J fold -n 4 -t 30\n#SBATCH -o out.%j --frob=1\n#PBS -l walltime=0:30:00\necho\n';

const HONOURS = ['tasks', 'account', 'environment', 'mail', 'workFolder', 'memoryPerNodeMebibytes'] as const;

async function submit(input: object) {
  const { data, errors } = await world.ask(world.tokens.gateway, SUBMIT, { input });
  expect(errors).toBeUndefined();
  return data.submitJob;
}

test('unless told otherwise each line that a job does not ask for is named in a warning', async () => {
  const { job, warnings } = await submit({ script, processors: 2, walltimeSeconds: 1800 });
  expect(job).toMatchObject({ name: 'job', processors: 2 });
  expect(job.directives).toMatchObject([
    { line: 2, system: 'SLURM', text: '#SBATCH -J fold', request: 'name', value: 'fold', honoured: false },
    { line: 2, meaning: '4 tasks', honoured: false },
    { line: 2, request: 'walltimeSeconds', value: '1800', honoured: true, warning: null },
    { line: 3, meaning: 'where its output goes: "out.%j"', request: null, honoured: false },
    { line: 3, meaning: '', text: '#SBATCH --frob=1', honoured: false },
    { line: 4, system: 'PBS', meaning: 'a walltime of 30 m', honoured: true },
  ]);
  expect(warnings).toHaveLength(4);
  expect(warnings[0]).toBe(
    'line 2 of the script (#SBATCH -J fold, name "fold"): not honoured: state name: fold, or ask for directives: HONOUR',
  );
});

test('honoured they stand in for what is not stated', async () => {
  const honoured = { script, directives: 'HONOUR' };
  const { job, userErrors } = await submit(honoured);
  expect(userErrors).toEqual([]);
  expect(job).toMatchObject({ name: 'fold', processors: 4, walltimeSeconds: 1800 });
  const { data } = await world.ask(world.tokens.gateway, PLAN, { input: honoured });
  expect(data.plan.chosen).toMatchObject({ processors: 4, walltimeSeconds: 1800 });
  expect(data.plan.directives).toEqual(job.directives);
  expect(job.directives[1]).toMatchObject({ request: 'resources.tasks', value: '4', honoured: true });
});

test('honoured they are everything that a job can ask for', async () => {
  const lines = ['#SBATCH -A phys -D /scratch --mem=2G -n 1 -t 9', '#SBATCH --export=A=1,B="x y"'];
  const mails = '#SBATCH --mail-user=a@b.org --mail-type=END,FAIL';
  const text = ['#!/bin/sh', ...lines, mails, 'true\n'].join('\n');
  const { job, userErrors, warnings } = await submit({ script: text, directives: 'HONOUR' });
  expect([userErrors, warnings]).toEqual([[], []]);
  const asked = (job.directives as { request: string; honoured: boolean }[]).map(({ request }) => request);
  expect(asked).toEqual([
    ...['account', 'workFolder', 'resources.memoryPerNodeMebibytes', 'resources.tasks', 'walltimeSeconds'],
    ...['environment', 'mail', 'mail'],
  ]);
  const unsaid = await submit({ script: text, processors: 1, walltimeSeconds: 540 });
  expect(unsaid.warnings).toHaveLength(6);
});

test('every way to have a script run warns of them', async () => {
  const size = { script, processors: 2, walltimeSeconds: 1800 };
  const promised = { startAt: moment(NOW + 6 * HOUR), probability: 0.5 };
  const told = `warnings userErrors { message }`;
  const asked = [
    [`mutation R($input: ReserveInput!) { done: reserve(input: $input) { ${told} } }`, { ...size, ...promised }],
    [`mutation A($input: SubmitArrayInput!) { done: submitArray(input: $input) { ${told} } }`, { ...size, tasks: 2 }],
    [
      `mutation C($input: CoAllocateInput!) { done: coAllocate(input: $input) { ${told} } }`,
      { rule: 'ANY', ...promised, legs: [size, size] },
    ],
  ] as const;
  for (const [document, input] of asked) {
    const { data, errors } = await world.ask(world.tokens.workflow, document, { input });
    expect(errors).toBeUndefined();
    expect(data.done.userErrors).toEqual([]);
    expect(data.done.warnings).toHaveLength(4);
  }
});

test('one that contradicts a field is an error that names both, and nothing is done', async () => {
  const { job, userErrors, warnings } = await submit({ script, processors: 8, directives: 'HONOUR' });
  expect([job, warnings]).toEqual([null, null]);
  expect(userErrors).toEqual([
    {
      code: 'INVALID',
      field: 'input.processors',
      message: 'processors is 8, and of the script line 2 (#SBATCH -n 4) asks for 4; leave one of them out',
    },
  ]);
});

test('a size that neither field nor directive tells is missing', async () => {
  const { userErrors } = await submit({ script: '#!/bin/sh\n#SBATCH -t 5\ntrue\n', directives: 'HONOUR' });
  expect(userErrors).toMatchObject([{ code: 'INVALID', field: 'input.processors' }]);
  const unread = await submit({ script, walltimeSeconds: 60 });
  expect(unread.userErrors).toMatchObject([{ code: 'INVALID', field: 'input.processors' }]);
});

test.each([
  ['#SBATCH -n 1 -t banana', 'input.walltimeSeconds', /missing; .*; in the script, line 2 .*"banana" is no walltime/],
  ['#$ -pe smp 2-4', 'input.processors', /missing; .*; in the script, line 2 \(#\$ -pe smp 2-4\): /],
])('a size that stands in a line that cannot be read names the line: %s', async (line, field, message) => {
  const { userErrors } = await submit({ script: `#!/bin/sh\n${line}\ntrue\n`, directives: 'HONOUR' });
  expect(userErrors).toMatchObject([{ code: 'INVALID', field, message: expect.stringMatching(message) }]);
});

test('another tenant is shown none of it', async () => {
  const { job } = await submit({ script, processors: 4, walltimeSeconds: 1800 });
  const asked = `query($id: ID!) { job(id: $id) { ${PARTS} } }`;
  const own = await world.ask(world.tokens.gateway, asked, { id: job.id });
  expect(own.data.job.directives).toHaveLength(6);
  const { data } = await world.ask(world.tokens.stranger, asked, { id: job.id });
  expect(data.job).toBeNull();
});
