import { invariant } from '../domain/failures.ts';
import type { ExecutionRow } from '../store/executions.ts';
import { findSite, type SiteRow } from '../store/sites.ts';
import type { FlowContext } from './context.ts';

/** The site an execution was assigned to. */
export async function siteOf(context: FlowContext, execution: ExecutionRow): Promise<SiteRow> {
  const site = execution.siteId === null ? null : await findSite(context.database.db, execution.siteId);
  invariant(site, `execution ${execution.id} has no site`);
  return site;
}
