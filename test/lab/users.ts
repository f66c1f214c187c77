import { execFileSync, spawnSync } from 'node:child_process';

/** The people of the lab: ordinary accounts that own its jobs. */
export const LAB_USERS = ['alice', 'bob', 'carol'] as const;
export type LabUser = (typeof LAB_USERS)[number];

/** Uid and gid of an account. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Creates the accounts that are missing. Their password is `*`, not `!`: sshd refuses a locked account even by key. */
export function ensureLabUsers(): void {
  for (const user of LAB_USERS) ensureUser(user, '--create-home', '--shell', '/bin/bash', '--password', '*');
  for (const user of LAB_USERS) execFileSync('chmod', ['755', `/home/${user}`]);
}

/** Creates an account unless it is there. Others may be creating theirs: the password file has one lock. */
export function ensureUser(name: string, ...options: readonly string[]): Account {
  let lastWords = '';
  for (let attempt = 0; attempt < 50; attempt++) {
    const known = accountOf(name);
    if (known) return known;
    lastWords = spawnSync('useradd', [...options, name], { encoding: 'utf8' }).stderr;
    if (lastWords) execFileSync('sleep', ['0.1']);
  }
  throw new Error(`the user ${name} cannot be created: ${lastWords}`);
}

/** The account of that name, null when there is none. */
export function accountOf(name: string): Account | null {
  const { status, stdout } = spawnSync('getent', ['passwd', name], { encoding: 'utf8' });
  if (status !== 0) return null;
  const [, , uid, gid] = stdout.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
