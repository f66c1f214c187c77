import colors from 'picocolors';
import { DOCUMENTS } from '../client/documents.ts';
import { findThing, readThing, type Thing } from '../client/lookup.ts';
import {
  type JobLine,
  type ReservationLine,
  renderCoAllocation,
  renderJob,
  renderJobs,
  renderReservations,
  shortId,
} from '../render/objects.ts';
import { renderTable } from '../render/table.ts';
import { formatMoment } from '../render/time.ts';
import type { Session } from '../session.ts';
import { renderPromise } from './reserve.ts';

interface List<Item> {
  readonly edges: readonly { readonly node: Item }[];
}

interface Overview {
  readonly serverTime: string;
  readonly viewer: { readonly name: string; readonly role: string; readonly tenant: string };
  readonly jobs: List<JobLine>;
  readonly reservations: List<ReservationLine>;
  readonly coAllocations: List<{ id: string; rule: string; state: string; startAt: string; probability: number }>;
}

/** `gridcast status [ID]` */
export async function runStatus({ client, output }: Session, options: { last: number }, text?: string): Promise<void> {
  if (text) {
    const { kind, id } = await findThing(client, text);
    const thing = await readThing(client, kind, id);
    output.result(thing.value, () => renderThing(thing));
    return;
  }
  const overview = await client.request<Overview>(DOCUMENTS.overview, { first: options.last });
  output.result(overview, () => renderOverview(overview));
}

/** One thing with everything known of it. */
export function renderThing(thing: Thing): string {
  if (thing.kind === 'Job') return renderJob(thing.value);
  return thing.kind === 'Reservation' ? renderPromise(thing.value) : renderCoAllocation(thing.value);
}

function renderOverview({ serverTime, viewer, jobs, reservations, coAllocations }: Overview): string {
  const head = `${viewer.name} of ${viewer.tenant}, ${viewer.role.toLowerCase()}; the service's clock shows ${formatMoment(serverTime)}`;
  const groups = nodesOf(coAllocations).map(({ id, rule, state, startAt }) => [
    shortId(id),
    rule.toLowerCase(),
    state.toLowerCase(),
    formatMoment(startAt),
  ]);
  const parts = [
    jobs.edges.length > 0 && renderJobs(nodesOf(jobs)),
    reservations.edges.length > 0 && renderReservations(nodesOf(reservations)),
    groups.length > 0 && renderTable(['co-allocation', 'rule', 'state', 'at'], groups),
  ].filter((part) => part !== false);
  return [colors.dim(head), ...(parts.length > 0 ? parts : ['nothing has been asked for yet'])].join('\n\n');
}

function nodesOf<Item>({ edges }: List<Item>): Item[] {
  return edges.map(({ node }) => node);
}
