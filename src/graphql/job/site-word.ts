import { submissionKey } from '../../domain/submission.ts';
import type { SiteWord } from '../../store/sites.ts';
import type { ApiContext } from '../context.ts';
import type { Job } from './job.type.ts';

/** What its site says of a job that waits there, as of its newest snapshot; of one that runs that it is suspended. */
export async function siteWordOf({ row }: Job, { loaders }: ApiContext): Promise<SiteWord | null> {
  if ((row.state !== 'QUEUED' && row.state !== 'RUNNING') || row.siteId === null) return null;
  const word = await loaders.siteWordOf.load({ siteId: row.siteId, key: submissionKey(row.id, row.attempts) });
  return word && row.state === 'RUNNING' ? { ...word, estimatedStartAt: null, priority: null } : word;
}
