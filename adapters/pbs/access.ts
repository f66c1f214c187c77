import { type Attributes, isTrue } from './attributes.ts';

/** Whose jobs ours are, as the machine sees it where the commands run. */
export interface Account {
  readonly user: string;
  /** The one its files belong to first. */
  readonly groups: readonly string[];
}

/** Reads `id`: `uid=1001(alice) gid=1001(staff) groups=1001(staff),27(x)`. @throws Error when it is no such line */
export function parseAccount(text: string): Account {
  const [, user, group] = /^uid=\d+\(([^)]+)\) gid=\d+\(([^)]+)\)/.exec(text) ?? [];
  if (user === undefined || group === undefined) throw new Error('id does not tell the name of the account');
  const others = Array.from((/ groups=(.*)$/m.exec(text)?.[1] ?? '').matchAll(/\(([^)]+)\)/g), ([, name = '']) => name);
  return { user, groups: [...new Set([group, ...others])] };
}

/** Whether a queue or a server has a list of users or groups that counts. */
export function hasAccessLists(of: Attributes): boolean {
  return isTrue(of, 'acl_user_enable') || isTrue(of, 'acl_group_enable');
}

/**
 * Why the lists of a queue or a server shut an account out; null when they do not, or leave it open. Lists of hosts are
 * left to the server: which of its names it knows a host by, it alone knows.
 */
export function refusalOf(of: Attributes, { user, groups }: Account): string | null {
  const users = listOf(of, 'user');
  const byUser = users === null || admits(users, user) ? null : `its acl_users leave out ${user}`;
  const ofGroups = listOf(of, 'group');
  const isInGroup = ofGroups === null || groups.some((group) => admits(ofGroups, group));
  const byGroup = isInGroup ? null : `its acl_groups leave out ${groups.join(', ')}`;
  // Torque can be told that either list is enough.
  const oneIsEnough = isTrue(of, 'acl_logic_or') && users !== null && ofGroups !== null;
  if (oneIsEnough && (byUser === null || byGroup === null)) return null;
  return byUser ?? byGroup;
}

/** Entries of a list that counts; null where there is none, or it does not count. */
function listOf(of: Attributes, kind: 'user' | 'group'): string[] | null {
  if (!isTrue(of, `acl_${kind}_enable`)) return null;
  return (of.get(`acl_${kind}s`) ?? '').split(',').map((entry) => entry.trim());
}

/**
 * Whether a list has a name in: the first entry that is about it decides, else `+` or `-` alone, else it is out. An
 * entry for one host only, `bob@login1`, lets a name in, for that may be ours, and keeps none out.
 */
function admits(entries: readonly string[], name: string): boolean {
  let otherwise = false;
  for (const entry of entries) {
    const [, sign = '', who = '', host = '*'] = /^([+-]?)([^@]*)(?:@(.*))?$/.exec(entry) ?? [];
    if (who === '' && sign !== '') otherwise = sign === '+';
    if (who !== name || name === '') continue;
    if (sign !== '-') return true;
    if (host === '*') return false;
  }
  return otherwise;
}
