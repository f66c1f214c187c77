import { CallerError } from '../../domain/failures.ts';
import { countOpen } from '../../store/open-jobs.ts';
import type { Principal } from '../../store/principals.ts';
import type { CommandContext } from './context.ts';

/**
 * Asserts that a tenant may have so many more open jobs, bodies of reservations among them. They are counted every ten
 * seconds at most, and those asked for since are added. So a tenant may get a few more: what several processes take in
 * that time, or one while it counts.
 * @throws CallerError BUSY when there would be more than are allowed
 */
export async function assertRoomForJobs(
  { database: { db }, limits: { maxOpenJobs } }: Pick<CommandContext, 'database' | 'limits'>,
  { tenantId }: Pick<Principal, 'tenantId'>,
  more: number,
): Promise<void> {
  const tenants = countsOf.get(db) ?? new Map<string, OpenJobs>();
  countsOf.set(db, tenants);
  const known = tenants.get(tenantId) ?? new OpenJobs((most) => countOpen(db, tenantId, most));
  tenants.set(tenantId, known);
  const open = await known.add(more, maxOpenJobs);
  if (open + more > maxOpenJobs) throw tooMany(open, more, maxOpenJobs);
}

/** What is known of each tenant's open jobs, by the database that they are in. */
const countsOf = new WeakMap<object, Map<string, OpenJobs>>();

/** How many open jobs a tenant has, as last counted and with those that were asked for since. */
class OpenJobs {
  private open = 0;
  private countedAt = Number.NEGATIVE_INFINITY;
  private counting: Promise<void> | null = null;

  constructor(private readonly count: (most: number) => Promise<number>) {}

  /**
   * Adds some, unless there would be too many.
   * @returns how many there were before
   */
  async add(more: number, most: number): Promise<number> {
    const ageMilliseconds = performance.now() - this.countedAt;
    const isFull = this.open + more > most;
    if (ageMilliseconds > (isFull ? RECOUNT_FULL_MILLISECONDS : RECOUNT_MILLISECONDS)) {
      this.counting ??= this.recount(most);
      await this.counting;
    }
    const before = this.open;
    if (before + more <= most) this.open += more;
    return before;
  }

  /** Those who ask meanwhile wait for it. */
  private async recount(most: number): Promise<void> {
    try {
      this.open = await this.count(most);
      this.countedAt = performance.now();
    } finally {
      this.counting = null;
    }
  }
}

function tooMany(open: number, more: number, most: number): CallerError {
  const would = more === 1 ? 'this would be one more' : `these would be ${more} more`;
  const message = `your tenant has ${open} jobs that have not ended, ${would}, and at most ${most} are allowed; wait until some have ended, cancel some, or have GRIDCAST_MOST_OPEN_JOBS raised`;
  return new CallerError('BUSY', null, message);
}

const RECOUNT_MILLISECONDS = 10_000;
/** Who is refused is to see soon that others have ended. */
const RECOUNT_FULL_MILLISECONDS = 500;
