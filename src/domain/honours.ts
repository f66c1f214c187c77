import type { JobSpec } from './job.ts';
import type { RequestName } from './resources.ts';
import type { StageRequest } from './staging.ts';

/** What a job asks for by name beside processors, walltime and queue. */
export type NamedRequests = Pick<JobSpec, 'resources' | 'terms' | 'environment' | 'workFolder' | 'mail'> & {
  /** Files that are moved for it; absent for none. */
  readonly staging?: StageRequest | undefined;
};

/**
 * The names of what a job asks for that a site does not honour, in the order in which they are asked; empty where it
 * honours all of it. An empty list, an empty set of variables and a false are no request.
 */
export function whatIsNotHonoured(request: NamedRequests, honours: readonly RequestName[]): RequestName[] {
  return namesAsked(request).filter((name) => !honours.includes(name));
}

function namesAsked({ resources, terms, environment, workFolder, mail, staging }: NamedRequests): RequestName[] {
  const { account, qos, siteReservation } = terms ?? {};
  const all = { ...resources, account, qos, siteReservation, environment, workFolder, mail, staging };
  return Object.entries(all).flatMap(([name, value]) => (isAsked(value) ? [name as RequestName] : []));
}

function isAsked(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
