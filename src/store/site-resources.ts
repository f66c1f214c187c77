import type { LicenceCount, NodeShape, QueueAllocation } from '../domain/node-shape.ts';
import { type RequestName, SITE_REQUEST_NAMES } from '../domain/resources.ts';
import type { QueueFacts, SiteFacts } from '../domain/site.ts';
import type { Prisma } from '../generated/prisma/client.ts';
import type { SiteRow } from './sites.ts';

/** What jobs can ask of a site beside processors and walltime, as it is known. */
export interface ResourceFacts {
  readonly queues: readonly QueueFacts[];
  readonly nodeShapes: readonly NodeShape[];
  readonly licences: readonly LicenceCount[];
  readonly honours: readonly RequestName[];
}

/** The same as of when its facts were last read. */
export function resourceFactsOf(site: Pick<SiteRow, 'queues' | 'nodeShapes' | 'licences' | 'honours'>): ResourceFacts {
  return {
    queues: site.queues.map((queue) => ({ ...queue, allocation: queue.allocation as QueueAllocation | null })),
    nodeShapes: site.nodeShapes as unknown as NodeShape[],
    licences: site.licences as unknown as LicenceCount[],
    honours: SITE_REQUEST_NAMES.filter((name) => site.honours.includes(name)),
  };
}

/** The same as it is written down with a site. */
export function resourceColumns({
  nodeShapes = [],
  licences = [],
  honours = [],
}: Pick<SiteFacts, 'nodeShapes' | 'licences'> & { readonly honours?: readonly RequestName[] }) {
  return {
    nodeShapes: nodeShapes as unknown as Prisma.InputJsonArray,
    licences: licences as unknown as Prisma.InputJsonArray,
    honours: [...honours],
  };
}

/** A queue as it is written down. */
export function queueColumns({ allocation = null, ...queue }: QueueFacts) {
  return { ...queue, ...(allocation && { allocation: allocation as Prisma.InputJsonObject }) };
}
