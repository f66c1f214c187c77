import { placeOnNodes, type SizedRequest } from '../../domain/node-placement.ts';
import type { NodesOfQueue } from '../../domain/occupancy.ts';
import type { CandidateSite, PlanRequest } from '../../domain/plan.ts';
import type { QueueFacts } from '../../domain/site.ts';
import { askedAt } from '../../domain/site-requests.ts';
import type { Ineligibility } from '../unusable.ts';

type KnownNodes = Pick<CandidateSite, 'name' | 'nodeShapes' | 'licences'>;

/** The nodes of a site that jobs of a queue may use, and what it gives them; a null queue is that of a site without. */
export function nodesOf(
  { nodeShapes = [] }: Pick<CandidateSite, 'nodeShapes'>,
  queue: QueueFacts | null,
): NodesOfQueue {
  const shapes = nodeShapes.filter(({ queues }) => queue === null || !queues || queues.includes(queue.name));
  return { shapes, allocation: queue?.allocation };
}

/**
 * What a request asks for that a site has not got in a queue, whatever runs there; null where nothing is known to be
 * missing.
 */
export function findLacking(request: SizedRequest, queue: QueueFacts | null, site: KnownNodes): Ineligibility | null {
  return lackingNodes(request, queue, site) ?? lackingLicence(request, site);
}

/**
 * The same where no queue was named and not even the best has it: what all of the site's nodes together lack, if that
 * is it.
 */
export function lackingAnywhere(lacking: Ineligibility, request: PlanRequest, site: CandidateSite): Ineligibility {
  const isNamed = askedAt(request, site).queue !== null;
  return (isNamed ? null : findLacking(request, null, site)) ?? lacking;
}

/**
 * What a request asks for that only nodes out of service have: it may wait there as long as they are. Null where that
 * is not known.
 */
export function findOutOfService(
  request: SizedRequest,
  queue: QueueFacts | null,
  site: Pick<CandidateSite, 'name' | 'nodeShapes'>,
): Ineligibility | null {
  const { shapes } = nodesOf(site, queue);
  if (!request.resources || shapes.every(({ count, inService = count }) => inService >= count)) return null;
  const left = shapes.flatMap(({ inService, ...shape }) => {
    return inService === 0 ? [] : [{ ...shape, count: inService ?? shape.count }];
  });
  const placement = left.length === 0 ? null : placeOnNodes(request, left);
  if (placement && 'taken' in placement) return null;
  const why = placement ? `of those in service alone, ${placement.lack.why}` : 'none of its nodes is in service';
  return { reason: 'TOO_FEW_USABLE', explanation: `${placeName(queue, site)} cannot run it for now: ${why}` };
}

function placeName(queue: QueueFacts | null, { name }: Pick<CandidateSite, 'name'>): string {
  return queue === null ? name : `queue ${queue.name} of ${name}`;
}

function lackingNodes(request: SizedRequest, queue: QueueFacts | null, site: KnownNodes): Ineligibility | null {
  const { shapes } = nodesOf(site, queue);
  if (!request.resources || (site.nodeShapes ?? []).length === 0) return null;
  const where = placeName(queue, site);
  if (shapes.length === 0) return lacks('nodes', `${where} has no nodes`);
  const placement = placeOnNodes(request, shapes);
  if ('taken' in placement) return null;
  const { name, why } = placement.lack;
  return lacks(name, `${where} cannot give it ${name}: ${why}`);
}

function lackingLicence(
  { resources }: SizedRequest,
  { name: site, licences: known = [] }: KnownNodes,
): Ineligibility | null {
  for (const { name, count } of resources?.licences ?? []) {
    const has = known.find((licence) => licence.name === name)?.count ?? 0;
    if (count <= has) continue;
    const others =
      known.length === 0 ? 'it has none' : `it has ${known.map((one) => `${one.count} ${one.name}`).join(', ')}`;
    return lacks('licences', `${site} cannot give it ${count} licences ${name}; ${others}`);
  }
  return null;
}

function lacks(name: string, explanation: string): Ineligibility {
  return { reason: 'LACKS_RESOURCES', field: `resources.${name}`, explanation };
}
