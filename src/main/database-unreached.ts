import { isDatabaseAway } from '../store/database-away.ts';

/** Whether an error says that PostgreSQL is out of reach; not one of anything else that is. */
export function isDatabaseUnreached(error: unknown): boolean {
  return error instanceof Error && /^(Prisma|Migration)/.test(error.name) && isDatabaseAway(error);
}
