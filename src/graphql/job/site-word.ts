import { submissionKey } from '../../domain/submission.ts';
import type { SiteWord } from '../../store/sites.ts';
import type { ApiContext } from '../context.ts';
import type { Job } from './job.type.ts';

/** What its site says of a job that waits there, as of the site's newest snapshot. */
export async function siteWordOf({ row }: Job, { loaders }: ApiContext): Promise<SiteWord | null> {
  if (row.state !== 'QUEUED' || row.siteId === null) return null;
  return loaders.siteWordOf.load({ siteId: row.siteId, key: submissionKey(row.id, row.attempts) });
}
