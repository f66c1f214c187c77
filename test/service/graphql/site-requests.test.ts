import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REQUEST_NAMES } from '../../../src/domain/resources.ts';
import { type ApiWorld, createApiWorld, unknownId, work } from './api-world.ts';

let world: ApiWorld;

beforeAll(async () => {
  world = await createApiWorld();
});

afterAll(() => world.close());

async function submit(input: object) {
  const query = `mutation ($input: SubmitJobInput!) { submitJob(input: $input) {
    userErrors { code field message }
    job { id queue account qos siteReservation workFolder environment { name value } mail { address events }
          sites { site { name } queue account qos siteReservation } } } }`;
  const { data, errors } = await world.ask(world.tokens.gateway, query, { input: { ...work, ...input } });
  expect(errors).toBeUndefined();
  return data.submitJob;
}

describe('what a job asks of its sites', () => {
  test('is written down and read back as it was asked', async () => {
    const sites = [{ id: world.sites.quick, queue: 'debug', account: 'bio' }];
    const asked = {
      account: 'astro',
      siteReservation: 'course',
      workFolder: '/scratch/é',
      mail: { address: 'a+b@c.org' },
    };
    const environment = [
      { name: 'B', value: 'a "b" $(c)\nd' },
      { name: 'A', value: '' },
    ];
    await honour(REQUEST_NAMES);
    const { job, userErrors } = await submit({ ...asked, sites, environment });
    await honour([]);
    expect(userErrors).toEqual([]);
    expect(job).toMatchObject({ ...asked, qos: null, mail: { address: 'a+b@c.org', events: ['END', 'FAIL'] } });
    expect(job.environment).toEqual([...environment].reverse());
    const [only] = sites.map(({ id: _id, ...rest }) => ({ ...rest, qos: null, siteReservation: null }));
    expect(job.sites).toEqual([{ ...only, site: { name: 'quick' } }]);
  });

  test('is refused by a site that does not honour it, which names it', async () => {
    const { job, userErrors } = await submit({ qos: 'high', environment: [{ name: 'A', value: '1' }] });
    expect(job).toBeNull();
    expect(userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE' }]);
    expect(userErrors[0].message).toContain('quick does not honour qos, environment; it honours no such request');
  });

  test.each([
    ['account', { account: 'astro' }, 'input.account'],
    ['qos', { qos: 'high' }, 'input.qos'],
    ['environment', { environment: [{ name: 'A', value: '1' }] }, 'input.environment'],
    ['workFolder', { workFolder: '/scratch' }, 'input.workFolder'],
    ['mail', { mail: { address: 'a@b.org' } }, 'input.mail'],
  ])('where no site honours %s the field is named', async (_name, asked, field) => {
    expect((await submit(asked)).userErrors).toMatchObject([{ code: 'NO_ELIGIBLE_SITE', field }]);
  });

  test.each([
    ['an account with a comma', { account: 'a,b' }, 'input.account', /account begins with a letter/],
    ['a QOS like an option', { qos: '--all' }, 'input.qos', /got "--all"/],
    ['an empty reservation', { siteReservation: '' }, 'input.siteReservation', /got ""/],
    ['a variable of ours', { environment: [{ name: 'GRIDCAST_X', value: '' }] }, 'input.environment', /GRIDCAST_/],
    ['a variable with a dash', { environment: [{ name: 'a-b', value: '' }] }, 'input.environment', /got "a-b"/],
    [
      'a variable of the shell',
      { environment: [{ name: 'UID', value: '3' }] },
      'input.environment',
      /nobody set .*"UID"/,
    ],
    ['a script behind a mark', { script: '\uFEFF#!/bin/sh\ntrue\n' }, 'input.script', /byte order mark.*Unix/],
    ['a script behind a blank', { script: '\n #!/bin/sh\ntrue\n' }, 'input.script', /before its #! line/],
    ['a script of DOS', { script: '#!/bin/sh\r\ntrue\r\n' }, 'input.script', /carriage return/],
    [
      'a variable set twice',
      { environment: [1, 2].map((n) => ({ name: 'A', value: `${n}` })) },
      'input.environment[1].name',
      /A is set twice/,
    ],
    ['101 variables', { environment: names(101) }, 'input.environment', /101 variables, at most 100/],
    [
      'too much of them',
      { environment: [{ name: 'A', value: 'x'.repeat(40_000) }] },
      'input.environment',
      /40001 bytes/,
    ],
    ['a folder from nowhere', { workFolder: 'scratch' }, 'input.workFolder', /path from \/ on/],
    ['a folder with a way up', { workFolder: '/home/a/../b' }, 'input.workFolder', /without \. and \.\./],
    ['a folder with a new line', { workFolder: '/a\n#SBATCH -N9' }, 'input.workFolder', /printable/],
    ['two addresses', { mail: { address: 'a@b.org,c@d.org' } }, 'input.mail.address', /one mail address/],
    ['an address like an option', { mail: { address: '-x@b.org' } }, 'input.mail.address', /got "-x@b.org"/],
    ['no event', { mail: { address: 'a@b.org', events: [] } }, 'input.mail.events', /names none/],
    ['an event twice', { mail: { address: 'a@b.org', events: ['END', 'END'] } }, 'input.mail.events', /twice/],
  ])('%s is refused by its field, and nothing is written', async (_what, input, field, message) => {
    const before = await world.countRows();
    const { job, userErrors } = await submit(input);
    expect(job).toBeNull();
    expect(userErrors[0]).toMatchObject({ code: 'INVALID', field });
    expect(userErrors[0].message).toMatch(message);
    expect(await world.countRows()).toEqual(before);
  });

  test.each([
    ['nothing asked', () => [{ id: world.sites.quick }], 'INVALID', 'input.sites[0]'],
    ['one twice', () => [1, 2].map((n) => ({ id: world.sites.quick, queue: `q${n}` })), 'INVALID', 'input.sites[1].id'],
    ['one not allowed', () => [{ id: world.sites.slow, queue: 'batch' }], 'INVALID', 'input.sites[0].id'],
    ['an odd account', () => [{ id: world.sites.quick, account: 'a b' }], 'INVALID', 'input.sites[0].account'],
    ['an odd queue', () => [{ id: world.sites.quick, queue: '' }], 'INVALID', 'input.sites[0].queue'],
  ])('of sites in particular %s is refused', async (_what, sites, code, field) => {
    const { userErrors } = await submit({ siteIds: [world.sites.quick], sites: sites() });
    expect(userErrors[0]).toMatchObject({ code, field });
  });

  test('of an unknown site is not found', async () => {
    const { userErrors } = await submit({ sites: [{ id: unknownId('Site'), queue: 'debug' }] });
    expect(userErrors[0]).toMatchObject({ code: 'NOT_FOUND', field: 'input.sites[0].id' });
  });
});

async function honour(honours: readonly string[]) {
  await world.stores.database.db.site.updateMany({ data: { honours: [...honours] } });
}

function names(count: number) {
  return Array.from({ length: count }, (_, n) => ({ name: `A${n}`, value: '' }));
}
