import { isDatabaseAway } from '../store/database-away.ts';
import { SILENT } from '../store/database-client.ts';
import { RedisFault } from '../store/redis-fault.ts';

/** Whether an error says that PostgreSQL is out of reach; not one of anything else that is. */
export function isDatabaseUnreached(error: unknown): boolean {
  if (!(error instanceof Error) || [error, error.cause].some((one) => one instanceof RedisFault)) return false;
  return error.message === SILENT || (/^(Prisma|Migration|CannotStart)/.test(error.name) && isDatabaseAway(error));
}
