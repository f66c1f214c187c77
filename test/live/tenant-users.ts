import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Lab } from '../lab/lab.ts';
import type { LabUser } from '../lab/users.ts';
import type { LiveService } from './live-service.ts';

/** One cluster whose users come to the login node, have tokens, or run its commands here. */
export const USERS_LAB = {
  clusters: [{ name: 'alpha', nodes: 2, processorsPerNode: 4, accounting: true, rest: true }],
  login: true,
} as const;

/** Asks the API as somebody. */
export type Ask = LiveService['ask'];

type Tenant = 'physics' | 'biology';

/**
 * The cluster, looked at as carol in one way; jobs of physics are alice's, those of biology bob's. What proves that is
 * in files, each of one tenant, which are filled later.
 */
export interface ProvenUsers {
  readonly configuration: object;
  giveRight(tenant: Tenant): void;
  /** What proves somebody else. */
  giveWrong(tenant: Tenant): void;
}

const COMMON = { accountingLagSeconds: 10, coolDownMilliseconds: 500, identity: 'PER_TENANT' };

/** The ways in which users prove who they are. */
export const PROVEN_WAYS: Readonly<Record<'ssh' | 'slurmrestd', (lab: Lab) => ProvenUsers>> = {
  ssh(lab) {
    const { login } = lab;
    if (!login) throw new Error('the lab has no login node');
    const { host, port, identityFile, knownHostsFile } = login;
    const files = filesOf(lab, 'keys');
    const give = (tenant: Tenant, key: string) => {
      copyFileSync(key, files[tenant]);
      chmodSync(files[tenant], 0o600);
    };
    return {
      configuration: {
        ...COMMON,
        transport: { kind: 'ssh', host, port, user: 'carol', identityFile, knownHostsFile, configFile: 'none' },
        environment: { ...lab.cluster('alpha').environment, PATH: '/usr/bin:/bin' },
        identities: {
          physics: { user: 'alice', identityFile: files.physics },
          biology: { user: 'bob', identityFile: files.biology },
        },
      },
      giveRight: (tenant) => give(tenant, identityFile),
      giveWrong: (tenant) => give(tenant, login.otherIdentityFile),
    };
  },

  slurmrestd(lab) {
    const cluster = lab.cluster('alpha');
    const files = filesOf(lab, 'tokens');
    const users = { physics: 'alice', biology: 'bob' } as const;
    const give = (file: string, user: LabUser) => writeFileSync(file, cluster.token(user), { mode: 0o600 });
    const gateway = `${files.physics}.gateway`;
    give(gateway, 'carol');
    return {
      configuration: {
        ...COMMON,
        transport: { kind: 'rest', url: cluster.restUrl, user: 'carol', tokenFile: gateway },
        files: { kind: 'local' },
        workFolder: openWork(lab),
        identities: {
          physics: { user: users.physics, tokenFile: files.physics },
          biology: { user: users.biology, tokenFile: files.biology },
        },
      },
      giveRight: (tenant) => give(files[tenant], users[tenant]),
      giveWrong: (tenant) => give(files[tenant], 'carol'),
    };
  },
};

function filesOf(lab: Lab, name: string): Readonly<Record<Tenant, string>> {
  const folder = join(lab.folder, `tenant-${name}`);
  mkdirSync(folder, { recursive: true });
  return { physics: join(folder, 'physics'), biology: join(folder, 'biology') };
}

/** A folder that all users of a lab share. */
function openWork(lab: Lab): string {
  const work = join(lab.folder, 'tenant-work');
  mkdirSync(work, { recursive: true });
  chmodSync(work, 0o1777);
  return work;
}

/** The cluster by commands that run here, by the system's sudo. */
export function localConfiguration(lab: Lab) {
  return {
    ...COMMON,
    transport: { kind: 'local' },
    environment: { ...lab.cluster('alpha').environment, PATH: '/usr/bin:/bin' },
    workFolder: openWork(lab),
    identities: { physics: { user: 'alice' }, biology: { user: 'bob' }, ghosts: { user: 'no-such-user' } },
  };
}

const SUBMIT_JOB = `mutation Submit($input: SubmitJobInput!) {
  submitJob(input: $input) { job { id } userErrors { code field message } }
}`;
export const JOB = `query Job($id: ID!) {
  job(id: $id) { id state outcome nativeId submissions { user state } output { text } }
}`;

/** Hands work in at a site as somebody, and gives the id of the job. */
export async function submitAs(ask: Ask, siteId: string | undefined, script: string, change = {}): Promise<string> {
  const input = {
    name: 'whose',
    script: `#!/bin/sh\n${script}\n`,
    processors: 1,
    walltimeSeconds: 300,
    siteIds: [siteId],
    ...change,
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
