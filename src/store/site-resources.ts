import { isDeepStrictEqual } from 'node:util';
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

/** What is true of a site whatever its load, with what jobs can ask of it by name. */
export type KeptFacts = SiteFacts & { readonly honours?: readonly RequestName[] };

/** Whether a site says of itself what is written down of it, see `saveSiteFacts`. */
export function saysTheSame(site: SiteRow, { queues, ...facts }: KeptFacts): boolean {
  const { processors, maintenance = [] } = facts;
  const told = { processors, maintenance, ...resourceColumns(facts) };
  const kept = Object.fromEntries(Object.keys(told).map((name) => [name, site[name as keyof typeof told]]));
  const keptQueues = site.queues.map(({ siteId: _siteId, ...queue }) => queue);
  return isDeepStrictEqual(asRead(told), asRead(kept)) && isDeepStrictEqual(byName(queues), byName(keptQueues));
}

function byName(queues: readonly { readonly name: string }[]): Record<string, unknown> {
  return Object.fromEntries(queues.map((queue) => [queue.name, asRead(queue)]));
}

/** As it comes back from the database, where what is absent is null. */
function asRead(value: object): unknown {
  const entries = Object.entries(JSON.parse(JSON.stringify(value)) as object);
  return Object.fromEntries(entries.filter(([, one]) => one !== null));
}
