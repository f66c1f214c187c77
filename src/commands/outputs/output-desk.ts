import { BulkheadRejectedError, bulkhead, type IPolicy } from 'cockatiel';
import type { AdapterRegistry } from '../../domain/adapter-registry.ts';
import { CallerError } from '../../domain/failures.ts';
import type { OutputPiece, OutputRequest } from '../../domain/job-output.ts';
import type { SiteAdapter } from '../../domain/site-adapter.ts';
import { userOf } from '../../domain/site-identity.ts';
import type { SiteRow } from '../../store/sites.ts';
import { HeldStream } from './held-stream.ts';

/** Who reads, until when, and how many reads it may have under way. */
export interface OutputReader {
  readonly tenantId: string;
  /** Whose account at the site reads, where every tenant has its own. */
  readonly tenantName: string;
  /** The job is over: what was read before that is not shared with who knows of its end. */
  readonly isOver: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Where a process reads what jobs have written. Everybody who reads a stream shares its reads: a site is asked once a
 * second for a job, however many follow it, after a few at once for whoever fetches a long one. A tenant has a share of
 * the reads that are under way.
 */
export class OutputDesk {
  private readonly sites = new Map<string, { adapter: SiteAdapter; usedAt: number }>();
  private readonly streams = new Map<string, HeldStream>();
  private readonly shares = new Map<string, IPolicy>();

  constructor(private readonly adapters: AdapterRegistry) {}

  /**
   * A piece of a stream of the job that bears the key; null when the job has written none.
   * @throws CallerError NO_FILE_TRANSPORT where nothing reads files at the site, BUSY when the tenant reads too much at
   * once; what the adapter throws
   */
  async read(site: SiteRow, request: OutputRequest, reader: OutputReader): Promise<OutputPiece | null> {
    const adapter = this.adapterOf(site, reader.tenantName);
    if (!adapter.readOutput) {
      const message = `nothing reads files at the site ${site.name}: it has no way to fetch the output of its jobs`;
      throw new CallerError('NO_FILE_TRANSPORT', null, message);
    }
    const readOutput = adapter.readOutput.bind(adapter);
    const stream = this.streamOf(`${site.id} ${request.key} ${request.stream} ${reader.isOver}`);
    try {
      return await this.shareOf(reader.tenantId).execute(() => stream.read(request, readOutput, reader.signal));
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error;
      const message = `${MOST_WAITING} reads of your tenant are waiting already; ask for the output of fewer jobs at once`;
      throw new CallerError('BUSY', null, message);
    }
  }

  /** Lets go of the connections to sites. */
  async close(): Promise<void> {
    const open = [...this.sites.values()];
    this.sites.clear();
    await Promise.all(open.map(({ adapter }) => adapter.close()));
  }

  /** As the gateway, or as the tenant's account where every tenant has its own. @throws CallerError SITE_FAULT */
  private adapterOf({ id, name: site, adapter: name, configuration }: SiteRow, tenantName: string): SiteAdapter {
    const user = userOf(configuration, tenantName);
    if (user === undefined) {
      throw new CallerError(
        'SITE_FAULT',
        null,
        `${site} has no account for your tenant any more; ask its admins for one`,
      );
    }
    const tenant = user === null ? undefined : tenantName;
    const key = JSON.stringify([id, name, configuration, tenant]);
    const known = this.sites.get(key) ?? { adapter: this.adapters.connect(name, configuration, tenant), usedAt: 0 };
    known.usedAt = performance.now();
    this.sites.set(key, known);
    this.closeIdle();
    return known.adapter;
  }

  private closeIdle(): void {
    const before = performance.now() - IDLE_MILLISECONDS;
    for (const [key, { adapter, usedAt }] of this.sites) {
      if (usedAt >= before) continue;
      this.sites.delete(key);
      adapter.close().catch(() => undefined);
    }
  }

  /** Those that were asked for last are kept. */
  private streamOf(key: string): HeldStream {
    const stream = this.streams.get(key) ?? new HeldStream();
    this.streams.delete(key);
    this.streams.set(key, stream);
    for (const oldest of this.streams.keys()) {
      if (this.streams.size <= MOST_STREAMS) break;
      this.streams.delete(oldest);
    }
    return stream;
  }

  private shareOf(tenantId: string): IPolicy {
    const share = this.shares.get(tenantId) ?? bulkhead(MOST_UNDER_WAY, MOST_WAITING);
    this.shares.set(tenantId, share);
    return share;
  }
}

/** The one of a process that uses these adapters. */
export function outputDeskOf(adapters: AdapterRegistry): OutputDesk {
  const desk = DESKS.get(adapters) ?? new OutputDesk(adapters);
  DESKS.set(adapters, desk);
  return desk;
}

const DESKS = new WeakMap<AdapterRegistry, OutputDesk>();

/** Longer than any read takes, so that none is under way. */
const IDLE_MILLISECONDS = 900_000;
/** Streams whose newest piece is kept, of which none is larger than a mebibyte. */
const MOST_STREAMS = 256;
/** Reads of one tenant at once, and of those that wait for their turn. */
const MOST_UNDER_WAY = 32;
const MOST_WAITING = 1000;
