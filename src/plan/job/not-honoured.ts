import { whatIsNotHonoured } from '../../domain/honours.ts';
import type { CandidateSite, PlanRequest } from '../../domain/plan.ts';
import type { RequestName } from '../../domain/resources.ts';
import { askedAt } from '../../domain/site-requests.ts';
import { isSitePath } from '../../domain/staging.ts';
import { isBelowSource } from '../../domain/staging-sources.ts';
import { quoted } from '../../domain/text.ts';
import type { Ineligibility } from '../unusable.ts';

/**
 * What a request asks for that a site does not honour, by its names, or a file of the site that it copies for nobody;
 * null where it honours all of it.
 */
export function findNotHonoured(
  request: PlanRequest,
  site: Pick<CandidateSite, 'siteId' | 'name' | 'honours' | 'defaults' | 'stagingSources'>,
): Ineligibility | null {
  const { name, honours = [] } = site;
  const missing = whatIsNotHonoured(askedAt(request, site), honours);
  if (missing.length === 0) return findClosedSource(request, site);
  const has = honours.length === 0 ? 'it honours no such request' : `it honours ${honours.join(', ')}`;
  const [field] = missing.flatMap((one) => fieldOf(one, request) ?? []);
  const explanation = `${name} does not honour ${missing.join(', ')}; ${has}`;
  return { reason: 'NOT_HONOURED', explanation, ...(field !== undefined && { field }) };
}

/** The first file that is to be copied out of a folder of which the site's admins have not said that it may be. */
function findClosedSource(
  { staging }: PlanRequest,
  { name, stagingSources = [] }: Pick<CandidateSite, 'name' | 'stagingSources'>,
): Ineligibility | null {
  const files = staging?.in ?? [];
  const index = files.findIndex(({ from }) => isSitePath(from) && !isBelowSource(from, stagingSources));
  const closed = files[index];
  if (!closed) return null;
  const open = stagingSources.length === 0 ? 'no folder' : `nothing but ${stagingSources.join(', ')}`;
  const remedy = 'give a URL, or have its admins name a folder above it in stagingSources';
  const explanation = `${name} has ${open} open to be copied from, and stageIn[${index}] is from ${quoted(closed.from)}: ${remedy}`;
  return { reason: 'NOT_HONOURED', field: `stageIn[${index}].from`, explanation };
}

/** The field in which a request asks every site for it; null where it asks one site, or admins have set it. */
function fieldOf(name: RequestName, { resources = {}, terms = {}, staging, ...request }: PlanRequest): string | null {
  if (name in resources) return `resources.${name}`;
  if (name === 'staging') return staging && staging.in.length > 0 ? 'stageIn' : 'stageOut';
  return name in terms || (name in request && request[name as keyof typeof request] !== undefined) ? name : null;
}
