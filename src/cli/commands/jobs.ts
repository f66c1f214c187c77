import { DOCUMENTS } from '../client/documents.ts';
import { failureOf, type UserError } from '../failure.ts';
import { type FilterOptions, filterInput } from '../parse/filter.ts';
import { type JobLine, renderJobs } from '../render/objects.ts';
import type { Session } from '../session.ts';

/** `gridcast jobs` */
export async function runJobs({ client, output }: Session, options: FilterOptions & { last: number }): Promise<void> {
  const filter = await filterInput(client, options);
  type Answer = { jobs: { totalCount: number; edges: readonly { node: JobLine }[] } };
  const { jobs } = await client.request<Answer>(DOCUMENTS.filteredJobs, { filter, first: options.last });
  const found = jobs.edges.map(({ node }) => node);
  const more = jobs.totalCount > found.length ? `\nthe newest ${found.length} of ${jobs.totalCount}` : '';
  output.result(jobs, () => (found.length === 0 ? 'no job meets that' : renderJobs(found) + more));
}

/** `gridcast cancel-jobs`: counts them, and with --expect cancels them when there are as many. */
export async function runCancelJobs(
  { client, output }: Session,
  options: FilterOptions & { expect?: number; idempotencyKey?: string },
): Promise<void> {
  const { expect: expectedCount = null, idempotencyKey = null } = options;
  const dryRun = expectedCount === null;
  const input = { filter: await filterInput(client, options), expectedCount, dryRun, idempotencyKey };
  type Answer = { cancelJobs: { matched: number | null; userErrors: readonly UserError[] } };
  const { cancelJobs } = await client.request<Answer>(DOCUMENTS.cancelJobs, { input });
  const failure = failureOf(cancelJobs.userErrors);
  if (failure) throw failure;
  const { matched } = cancelJobs;
  const said = dryRun
    ? `${matched} open jobs are meant; cancel them with --expect ${matched}`
    : `${matched} jobs are being cancelled`;
  output.result({ matched, dryRun }, () => said);
}
