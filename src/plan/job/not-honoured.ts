import { whatIsNotHonoured } from '../../domain/honours.ts';
import type { CandidateSite, PlanRequest } from '../../domain/plan.ts';
import type { RequestName } from '../../domain/resources.ts';
import { askedAt } from '../../domain/site-requests.ts';
import type { Ineligibility } from '../unusable.ts';

/** What a request asks for that a site does not honour, by its names; null where it honours all of it. */
export function findNotHonoured(
  request: PlanRequest,
  site: Pick<CandidateSite, 'siteId' | 'name' | 'honours' | 'defaults'>,
): Ineligibility | null {
  const { name, honours = [] } = site;
  const missing = whatIsNotHonoured(askedAt(request, site), honours);
  if (missing.length === 0) return null;
  const has = honours.length === 0 ? 'it honours no such request' : `it honours ${honours.join(', ')}`;
  const [field] = missing.flatMap((one) => fieldOf(one, request) ?? []);
  const explanation = `${name} does not honour ${missing.join(', ')}; ${has}`;
  return { reason: 'NOT_HONOURED', explanation, ...(field !== undefined && { field }) };
}

/** The field in which a request asks every site for it; null where it asks one site, or admins have set it. */
function fieldOf(name: RequestName, { resources = {}, terms = {}, staging, ...request }: PlanRequest): string | null {
  if (name in resources) return `resources.${name}`;
  if (name === 'staging') return staging && staging.in.length > 0 ? 'stageIn' : 'stageOut';
  return name in terms || (name in request && request[name as keyof typeof request] !== undefined) ? name : null;
}
