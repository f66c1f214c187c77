import type { SlurmAssociation, SlurmPartition } from './slurm-job.ts';

/** As whom our jobs come to a partition; null for what is not known. */
interface Standing {
  /** The account that is charged and those above it; none where Slurm knows no account for our jobs. */
  readonly accounts: readonly string[] | null;
  readonly qos: string | null;
}

/** What Slurm calls the QOS of those who have no other. */
const USUAL_QOS = 'normal';

/** Whether a partition asks who one is in a way that only associations answer. */
export function asksWhoWeAre({ access }: SlurmPartition): boolean {
  const { allowAccounts, denyAccounts, allowQos, denyQos } = access;
  return allowAccounts !== null || allowQos !== null || denyAccounts.length > 0 || denyQos.length > 0;
}

/**
 * Why a partition takes none of our jobs, in a sentence; null where it does, as far as that is known.
 * @param associations of our user as `SlurmAssociations` lists them; null where nobody does
 * @param account that the configuration names
 */
export function forbiddenBecause(
  { name, access }: SlurmPartition,
  associations: readonly SlurmAssociation[] | null,
  account: string | undefined,
): string | null {
  if (access.isOfOtherGroups) return 'it is for groups of users that this account is not in';
  if (access.isRootOnly) return 'it takes jobs of root only';
  if (access.needsReservation) return 'it takes only jobs that have a reservation';
  const reasons = standingsAt(name, associations, account?.toLowerCase()).map((us) => refusalOf(access, us));
  // One database may serve several clusters without a word which of them this is: all must agree.
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

function refusalOf(access: SlurmPartition['access'], { accounts, qos }: Standing): string | null {
  const { allowAccounts, denyAccounts, allowQos, denyQos } = access;
  const [account] = accounts ?? [];
  if (accounts && allowAccounts && !accounts.some((ours) => allowAccounts.includes(ours))) {
    return account ? `it takes no jobs of account ${account}` : 'it takes only jobs of some accounts, ours have none';
  }
  if (account !== undefined && denyAccounts.includes(account)) return `it takes no jobs of account ${account}`;
  const isAllowed = qos === null || ((allowQos?.includes(qos) ?? true) && !denyQos.includes(qos));
  return isAllowed ? null : `it takes no jobs of QOS ${qos}, which ours have`;
}

/** One for each cluster of the database. */
function standingsAt(
  partition: string,
  associations: readonly SlurmAssociation[] | null,
  account: string | undefined,
): Standing[] {
  const named = account === undefined ? [] : [account];
  if (associations === null) return [{ accounts: account === undefined ? null : named, qos: null }];
  const ours = associations.filter(({ user }) => user !== null);
  if (ours.length === 0) return [{ accounts: named, qos: usualQos(associations) }];
  return [...new Set(ours.map(({ cluster }) => cluster))].flatMap((cluster) => {
    const all = associations.filter((one) => one.cluster === cluster);
    const here = ours.filter((one) => one.cluster === cluster);
    const inPartition = here.filter((one) => one.partition === partition);
    const meant = inPartition.length > 0 ? inPartition : here.filter((one) => one.partition === null);
    return meant.map((one) => ({ accounts: withAncestors(one, all), qos: qosOf(one, usualQos(all)) }));
  });
}

/** The QOS of jobs whose user has several and none by default. */
function usualQos(associations: readonly SlurmAssociation[]): string {
  const root = associations.find(({ user, account }) => user === null && account === 'root');
  return root?.defaultQos ?? USUAL_QOS;
}

/** Which QOS a job gets that asks for none; null where only numbers are told. */
function qosOf({ defaultQos, qos }: SlurmAssociation, usual: string): string | null {
  if (defaultQos !== null) return defaultQos;
  if (qos === null) return null;
  const [first] = qos;
  return qos.length === 1 && first !== undefined ? first : usual;
}

/** Newer Slurms let those in who are below an account that may use a partition. */
function withAncestors({ account }: SlurmAssociation, all: readonly SlurmAssociation[]): string[] {
  const parents = new Map(all.filter(({ user }) => user === null).map((one) => [one.account, one.parent]));
  const line: string[] = [];
  for (let at: string | null = account; at !== null && !line.includes(at); at = parents.get(at) ?? null) line.push(at);
  return line;
}
