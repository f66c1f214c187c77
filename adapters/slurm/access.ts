import type { SiteTerms } from '../../src/domain/resources.ts';
import type { SlurmAssociation, SlurmPartition } from './slurm-job.ts';

/** As whom our jobs come to a partition; null for what is not known. */
interface Standing {
  /** The account that is charged and those above it; none where Slurm knows no account for our jobs. */
  readonly accounts: readonly string[] | null;
  /** Whether all that are above it are told. */
  readonly isWholeLine: boolean;
  readonly qos: string | null;
}

/** Why a partition takes none of our jobs. */
export interface ForbiddenPartition {
  /** In a sentence. */
  readonly because: string;
  /** Which of a job's terms that is about: Slurm itself judges who names its own. Null where it is about all jobs. */
  readonly term: keyof SiteTerms | null;
}

/** What Slurm calls the QOS of those who have no other. */
const USUAL_QOS = 'normal';

/** Whether a partition asks who one is in a way that only associations answer. */
export function asksWhoWeAre({ access }: SlurmPartition): boolean {
  const { allowAccounts, denyAccounts, allowQos, denyQos } = access;
  return allowAccounts !== null || allowQos !== null || denyAccounts.length > 0 || denyQos.length > 0;
}

/**
 * Why a partition takes none of our jobs that leave their terms to Slurm; null where it does, as far as that is known.
 * @param associations of our user as `SlurmAssociations` lists them; null where nobody does
 * @param account that the configuration names
 */
export function forbiddenBecause(
  { name, access }: SlurmPartition,
  associations: readonly SlurmAssociation[] | null,
  account: string | undefined,
): ForbiddenPartition | null {
  if (access.isOfOtherGroups) return { because: 'it is for groups of users that this account is not in', term: null };
  if (access.isRootOnly) return { because: 'it takes jobs of root only', term: null };
  if (access.needsReservation) {
    return { because: 'it takes only jobs that have a reservation', term: 'siteReservation' };
  }
  const reasons = standingsAt(name, associations, account?.toLowerCase()).map((us) => refusalOf(access, us));
  // One database may serve several clusters without a word which of them this is: all must agree.
  return reasons.includes(null) ? null : (reasons[0] ?? null);
}

function refusalOf(
  access: SlurmPartition['access'],
  { accounts, isWholeLine, qos }: Standing,
): ForbiddenPartition | null {
  const { allowAccounts, denyAccounts, allowQos, denyQos } = access;
  const [account] = accounts ?? [];
  if (accounts && isWholeLine && allowAccounts && !accounts.some((ours) => allowAccounts.includes(ours))) {
    const none = 'it takes only jobs of some accounts, ours have none';
    return { because: account ? `it takes no jobs of account ${account}` : none, term: 'account' };
  }
  if (account !== undefined && denyAccounts.includes(account)) {
    return { because: `it takes no jobs of account ${account}`, term: 'account' };
  }
  const isAllowed = qos === null || ((allowQos?.includes(qos) ?? true) && !denyQos.includes(qos));
  return isAllowed ? null : { because: `it takes no jobs of QOS ${qos}, which ours have`, term: 'qos' };
}

/** One for each cluster of the database. */
function standingsAt(
  partition: string,
  associations: readonly SlurmAssociation[] | null,
  account: string | undefined,
): Standing[] {
  const named = account === undefined ? [] : [account];
  if (associations === null) {
    return [{ accounts: account === undefined ? null : named, isWholeLine: false, qos: null }];
  }
  const ours = associations.filter(({ user }) => user !== null);
  if (ours.length === 0) {
    const line = account === undefined ? { accounts: [], isWholeLine: true } : lineOf(account, associations);
    return [{ ...line, qos: usualQos(associations) }];
  }
  return [...new Set(ours.map(({ cluster }) => cluster))].flatMap((cluster) => {
    const all = associations.filter((one) => one.cluster === cluster);
    const here = ours.filter((one) => one.cluster === cluster);
    const inPartition = here.filter((one) => one.partition === partition);
    const meant = inPartition.length > 0 ? inPartition : here.filter((one) => one.partition === null);
    return meant.map((one) => ({ ...lineOf(one.account, all), qos: qosOf(one, usualQos(all)) }));
  });
}

/** The QOS of jobs whose user has several and none by default; null where the account at the top is not told. */
function usualQos(associations: readonly SlurmAssociation[]): string | null {
  const root = associations.find(({ user, account }) => user === null && account === 'root');
  return root ? (root.defaultQos ?? USUAL_QOS) : null;
}

/** Which QOS a job gets that asks for none; null where too little is told. */
function qosOf({ defaultQos, qos }: SlurmAssociation, usual: string | null): string | null {
  if (defaultQos !== null) return defaultQos;
  if (qos === null) return null;
  const [first] = qos;
  return qos.length === 1 && first !== undefined ? first : usual;
}

/**
 * An account and those above it: newer Slurms let in whoever is below an account that may use a partition. Sites that
 * keep accounts private tell users nothing of them.
 */
function lineOf(account: string, all: readonly SlurmAssociation[]): Pick<Standing, 'accounts' | 'isWholeLine'> {
  const parents = new Map(all.filter(({ user }) => user === null).map((one) => [one.account, one.parent]));
  const accounts: string[] = [];
  for (let at: string | null = account; at !== null && !accounts.includes(at); at = parents.get(at) ?? null) {
    accounts.push(at);
  }
  return { accounts, isWholeLine: accounts.every((one) => parents.has(one)) };
}
