import { expect, test } from 'vitest';
import { runSiteDefaults, runSiteIdentities } from '../../../src/cli/commands/site-standing.ts';
import type { Session } from '../../../src/cli/session.ts';

/** Of a caller who is no admin. */
function session(site: object): Session {
  const answers = [{ sites: [{ id: 'S1', name: 'elm' }] }, { site }];
  return { client: { request: async () => answers.shift() } } as unknown as Session;
}

test.each([
  ['defaults', () => runSiteDefaults(session({ setDefaults: null }), { all: true }, 'elm')],
  ['accounts', () => runSiteIdentities(session({ identityRule: 'PER_TENANT', identities: null }), {}, 'elm')],
])('%s that only admins are answered are told to be theirs', async (what, run) => {
  await expect(run()).rejects.toMatchObject({
    message: expect.stringMatching(`^${what} of .* are for admins to see$`),
    remedy: 'use the token of an admin',
  });
});
