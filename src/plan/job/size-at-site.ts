import type { SizedRequest } from '../../domain/node-placement.ts';
import { billedProcessors, givenMemoryMebibytes, occupiedProcessors } from '../../domain/occupancy.ts';
import type { CandidateSite } from '../../domain/plan.ts';
import type { QueueFacts } from '../../domain/site.ts';
import { nodesOf } from './lacking.ts';

/** How large a job is for its site. */
export interface SizeAtSite {
  /**
   * That others cannot use: of one that asks for processors alone these, for its site's history counts those like it
   * so.
   */
  readonly processors: number;
  /** What the site bills for each second of it, in processors. */
  readonly billedProcessors: number;
  /** That it asks for; absent for none. */
  readonly gpus?: number;
  /** That it is given over all of its nodes; absent where that is not told. */
  readonly memoryMebibytes?: number;
}

/** How large a request is in a queue of a site; a null queue is that of a site without. */
export function sizeAt(
  { processors, resources }: SizedRequest,
  queue: QueueFacts | null,
  site: Pick<CandidateSite, 'nodeShapes'>,
): SizeAtSite {
  const request = { processors, resources };
  const nodes = nodesOf(site, queue);
  const memoryMebibytes = givenMemoryMebibytes(request, nodes);
  return {
    processors: resources ? occupiedProcessors(request, nodes) : processors,
    billedProcessors: billedProcessors(request, nodes),
    ...(resources?.gpus && { gpus: resources.gpus }),
    ...(memoryMebibytes !== null && { memoryMebibytes: Math.round(memoryMebibytes) }),
  };
}
