import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adapters } from '../../adapters/index.ts';
import { submissionKey } from '../../src/domain/submission.ts';
import { fromGlobalId } from '../../src/graphql/shared/global-id.ts';
import { findExecution } from '../../src/store/executions.ts';
import { FileServer } from '../file-server.ts';
import { type Lab, labMissing, startLab } from '../lab/lab.ts';
import { type LiveService, startLiveService } from './live-service.ts';
import { type Ask, accountedUser, JOB, PROVEN_WAYS, type ProvenUsers, submitAs, USERS_LAB } from './tenant-users.ts';

const missing = labMissing(USERS_LAB);
if (missing) test('two tenants with a Unix user each', ({ skip }) => skip(missing));
else
  describe.each(Object.entries(PROVEN_WAYS))('two tenants with a Unix user each, by %s', (_way, prove) =>
    describeUsers(prove));

const IDENTITIES = 'query Site($id: ID!) { site(id: $id) { fault identities { tenant user checkedAt fault } } }';
const CANCEL = 'mutation Cancel($input: CancelInput!) { cancelJob(input: $input) { userErrors { code } } }';
const CHECK = `mutation Check($input: CheckSiteInput!) {
  checkSite(input: $input) { check { passed identities { tenant user fault } } userErrors { message } }
}`;

function describeUsers(prove: (lab: Lab) => ProvenUsers): void {
  let lab: Lab;
  let service: LiveService;
  let users: ProvenUsers;
  let physics: Ask;
  let biology: Ask;

  beforeAll(async () => {
    lab = await startLab(USERS_LAB);
    users = prove(lab);
    users.giveWrong('physics');
    users.giveRight('biology');
    const { configuration } = users;
    const settings = { GRIDCAST_STAGING_PRIVATE_HOSTS: '127.0.0.1' };
    service = await startLiveService([{ name: 'alpha', adapter: 'slurm', configuration }], settings);
    physics = service.ask;
    biology = await service.askAs('biology');
  });
  afterAll(async () => {
    await service?.close();
    await lab?.stop();
  });

  const until = (what: string, ask: Ask, id: string, states: readonly string[]) =>
    service.askUntil(what, JOB, { id }, ({ job }) => states.includes(job.state), 60, ask);

  test('what proves somebody else is the fault of that user alone: the other one goes on, and both run once it is right', async () => {
    const { alpha } = service.sites;
    const id = { id: alpha };
    const isKnown = ({ site }: { site: { identities: { fault: string | null; checkedAt: string | null }[] } }) =>
      site.identities.every(({ checkedAt }) => checkedAt !== null);
    const { site } = await service.askUntil('both are checked', IDENTITIES, id, isKnown);
    expect(site.identities).toMatchObject([
      { tenant: 'biology', user: 'bob', fault: null },
      { tenant: 'physics', user: 'alice', fault: expect.stringMatching(/^AUTHENTICATION/) },
    ]);
    expect(site.fault).toBeNull();
    const { checkSite } = await physics(CHECK, { input: id });
    expect(checkSite.check.identities).toMatchObject(
      site.identities.map(({ fault }: { fault: string }) => ({ fault })),
    );
    expect(checkSite.check.passed).toBe(false);

    const [ours, theirs] = [await submitAs(physics, alpha, 'id -un'), await submitAs(biology, alpha, 'id -un')];
    const { job: ofBob } = await until('bob has run', biology, theirs, ['ENDED']);
    expect(ofBob).toMatchObject({ outcome: 'COMPLETED', submissions: [{ user: 'bob' }], output: { text: 'bob\n' } });
    const { job: waits } = await physics(JOB, { id: ours });
    expect(waits).toMatchObject({ outcome: null, nativeId: null });

    users.giveRight('physics');
    const { job: ofAlice } = await service.askUntil(
      'alice has run',
      JOB,
      { id: ours },
      ({ job }) => job.state === 'ENDED',
      120,
    );
    expect(ofAlice).toMatchObject({ outcome: 'COMPLETED', output: { text: 'alice\n' } });
    expect(await accountedUser(lab, ofBob.nativeId)).toBe('bob');
    expect(await accountedUser(lab, ofAlice.nativeId)).toBe('alice');
  });

  test("nobody reaches another tenant's job, neither by the API nor as the Unix user", async () => {
    const { alpha } = service.sites;
    const theirs = await submitAs(biology, alpha, 'echo secret; sleep 120');
    const { job } = await until('it runs', biology, theirs, ['RUNNING']);
    expect((await physics(JOB, { id: theirs })).job).toBeNull();
    const { cancelJob } = await physics(CANCEL, { input: { id: theirs } });
    expect(cancelJob.userErrors).toMatchObject([{ code: 'NOT_FOUND' }]);

    const asAlice = adapters.connect('slurm', users.configuration, 'physics');
    const row = await findExecution(service.stores.database.db, fromGlobalId(theirs)?.id ?? '');
    const key = submissionKey(row?.id ?? '', 1);
    const ref = { nativeId: job.nativeId, submittedAt: row?.nativeSubmittedAt ?? 0, key };
    try {
      await asAlice.cancel(ref);
      const piece = asAlice.readOutput?.({ key, stream: 'STDOUT', offset: 0, limit: 100 });
      expect(await piece?.catch(() => null)).toBeNull();
    } finally {
      await asAlice.close();
    }
    const argv = ['squeue', '--noheader', '--format=%u %T', `--jobs=${job.nativeId}`];
    expect(lab.cluster('alpha').run(argv).stdout.trim()).toBe('bob RUNNING');

    await biology(CANCEL, { input: { id: theirs } });
    const { job: ended } = await until('it is cancelled', biology, theirs, ['ENDED']);
    expect(ended).toMatchObject({ outcome: 'CANCELLED', output: { text: expect.stringContaining('secret') } });
  });
  test('files that are moved to a job are those of its user, and so is what it writes', async () => {
    const server = await new FileServer().start();
    try {
      server.files.set('words', { bytes: Buffer.from('moved for bob\n') });
      const stageIn = [{ from: server.url('words'), to: 'words' }];
      const script = 'id -un; stat -c %U . words; cat words; echo more >> words';
      const id = await submitAs(biology, service.sites.alpha, script, { stageIn });
      const { job } = await until('it has run', biology, id, ['ENDED']);
      expect(job).toMatchObject({ outcome: 'COMPLETED', output: { text: 'bob\nbob\nbob\nmoved for bob\n' } });
    } finally {
      await server.close();
    }
  });
}
