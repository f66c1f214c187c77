import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Lab } from '../lab/lab.ts';
import type { LiveService } from './live-service.ts';

/** One cluster whose users come to the login node, or run its commands here. */
export const USERS_LAB = {
  clusters: [{ name: 'alpha', nodes: 2, processorsPerNode: 4, accounting: true, rest: false }],
  login: true,
} as const;

/** Asks the API as somebody. */
export type Ask = LiveService['ask'];

/** The keys of two tenants over ssh, each in a file of its own. */
export function keysOf(lab: Lab) {
  const folder = join(lab.folder, 'tenant-keys');
  mkdirSync(folder, { recursive: true });
  const login = lab.login;
  if (!login) throw new Error('the lab has no login node');
  const files = { physics: join(folder, 'physics'), biology: join(folder, 'biology') };
  const give = (tenant: keyof typeof files, key: string) => {
    copyFileSync(key, files[tenant]);
    chmodSync(files[tenant], 0o600);
  };
  return {
    files,
    giveRight: (tenant: keyof typeof files) => give(tenant, login.identityFile),
    giveWrong: (tenant: keyof typeof files) => give(tenant, login.otherIdentityFile),
  };
}

/** The cluster over ssh, looked at as carol; jobs of physics are alice's, those of biology bob's. */
export function sshConfiguration(lab: Lab, files: Readonly<Record<'physics' | 'biology', string>>) {
  const { login } = lab;
  if (!login) throw new Error('the lab has no login node');
  const { host, port, identityFile, knownHostsFile } = login;
  return {
    transport: { kind: 'ssh', host, port, user: 'carol', identityFile, knownHostsFile, configFile: 'none' },
    environment: { ...lab.cluster('alpha').environment, PATH: '/usr/bin:/bin' },
    accountingLagSeconds: 10,
    coolDownMilliseconds: 500,
    identity: 'PER_TENANT',
    identities: {
      physics: { user: 'alice', identityFile: files.physics },
      biology: { user: 'bob', identityFile: files.biology },
    },
  };
}

/** The same by commands that run here, by the system's sudo. */
export function localConfiguration(lab: Lab) {
  const work = join(lab.folder, 'tenant-work');
  mkdirSync(work, { recursive: true });
  chmodSync(work, 0o1777);
  return {
    transport: { kind: 'local' },
    environment: { ...lab.cluster('alpha').environment, PATH: '/usr/bin:/bin' },
    workFolder: work,
    accountingLagSeconds: 10,
    identity: 'PER_TENANT',
    identities: { physics: { user: 'alice' }, biology: { user: 'bob' } },
  };
}

const SUBMIT_JOB = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id } userErrors { code field message } }
}`;
export const JOB = `query Job($id: ID!) {
  job(id: $id) { id state outcome nativeId submissions { user state } output { text } }
}`;

/** Hands work in at a site as somebody, and gives the id of the job. */
export async function submitAs(ask: Ask, siteId: string | undefined, script: string): Promise<string> {
  const input = {
    name: 'whose',
    script: `#!/bin/sh\n${script}\n`,
    processors: 1,
    walltimeSeconds: 300,
    siteIds: [siteId],
  };
  const { submitJob } = await ask(SUBMIT_JOB, { input });
  expect(submitJob.userErrors).toEqual([]);
  return submitJob.job.id;
}

/**
 * Waits until the site's own accounting says of a job that it has completed, and gives the user whose job that was.
 * Until slurmdbd has heard of its start it has it as one of root's.
 */
export async function accountedUser(lab: Lab, nativeId: string): Promise<string> {
  const argv = ['sacct', '--noheader', '--parsable2', '--allocations', '--format=User,State', `--jobs=${nativeId}`];
  const giveUpAt = performance.now() + 30_000;
  for (;;) {
    const words = lab.cluster('alpha').run(argv).stdout.trim();
    const [user = '', state] = words.split('|');
    if (state === 'COMPLETED' && user !== 'root') return user;
    if (performance.now() > giveUpAt) throw new Error(`accounting says of job ${nativeId}: ${words}`);
    await sleep(500);
  }
}
