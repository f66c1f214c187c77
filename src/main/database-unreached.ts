import { isDatabaseAway } from '../store/database-away.ts';

/** Whether an error says that PostgreSQL is out of reach; not one of anything else that is. */
export function isDatabaseUnreached(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === SILENT || (/^(Prisma|Migration)/.test(error.name) && isDatabaseAway(error));
}

/** What pg says of a server that takes connections and then says nothing. */
const SILENT = 'timeout expired';
