import { formatSeconds } from '../../domain/duration.ts';
import type { JobAnswer } from '../client/answers.ts';
import { DOCUMENTS } from '../client/documents.ts';
import { findThing, readThing, type Thing } from '../client/lookup.ts';
import { CliFailure, EXIT } from '../failure.ts';
import colors from '../render/colors.ts';
import {
  type JobLine,
  type ReservationLine,
  renderCoAllocation,
  renderJob,
  renderJobs,
  renderReservations,
  shortId,
  stateOf,
} from '../render/objects.ts';
import { renderTable } from '../render/table.ts';
import { formatMoment } from '../render/time.ts';
import { findSiteIds, type Session } from '../session.ts';
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

interface StatusOptions {
  readonly last: number;
  readonly site?: string;
}

/** `gridcast status [ID]` */
export async function runStatus(session: Session, options: StatusOptions, text?: string): Promise<void> {
  const { client, output } = session;
  if (text !== undefined && options.site !== undefined)
    throw new CliFailure('give an id or --site, not both', EXIT.usage);
  if (options.site !== undefined) return showJobsAtSite(session, options.site, options.last);
  if (text !== undefined) {
    const { kind, id } = await findThing(client, text);
    const thing = await readThing(client, kind, id);
    output.result(thing.value, () => renderThing(thing));
    return;
  }
  const overview = await client.request<Overview>(DOCUMENTS.overview, { first: options.last });
  output.result(overview, () => renderOverview(overview));
}

/** A job at a site as an admin of the site looks for it. */
type JobAtSite = JobLine &
  Pick<JobAnswer, 'owner' | 'nativeId'> & { readonly reservation: { readonly id: string } | null };

async function showJobsAtSite({ client, output }: Session, site: string, last: number): Promise<void> {
  const [siteId] = await findSiteIds(client, [site]);
  const { jobs } = await client.request<{ jobs: List<JobAtSite> & { readonly totalCount: number } }>(
    DOCUMENTS.jobsAtSite,
    { siteId, first: last },
  );
  output.result(jobs, () => renderJobsAtSite(site, nodesOf(jobs), jobs.totalCount));
}

function renderJobsAtSite(site: string, jobs: readonly JobAtSite[], totalCount: number): string {
  if (jobs.length === 0) return `your tenant has no job at ${site}`;
  const table = renderTable(
    ['native id', 'job', 'reservation', 'name', 'owner', 'state', 'processors', 'walltime', 'waited', 'expected end'],
    jobs.map((job) => [
      ...[job.nativeId, shortId(job.id), job.reservation && shortId(job.reservation.id), job.name, job.owner],
      ...[stateOf(job), job.processors, formatSeconds(job.walltimeSeconds)],
      job.waitSeconds === null ? null : formatSeconds(job.waitSeconds),
      job.expectedEndAt && formatMoment(job.expectedEndAt),
    ]),
  );
  const more = totalCount > jobs.length ? [colors.dim(`the newest ${jobs.length} of ${totalCount}`)] : [];
  return [table, ...more].join('\n');
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
