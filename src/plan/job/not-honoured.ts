import { whatIsNotHonoured } from '../../domain/honours.ts';
import type { CandidateSite, PlanRequest } from '../../domain/plan.ts';
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
  const [resource] = missing.filter((one) => one in (request.resources ?? {}));
  const field = resource && { field: `resources.${resource}` };
  return { reason: 'NOT_HONOURED', explanation: `${name} does not honour ${missing.join(', ')}; ${has}`, ...field };
}
