import type { SiteAdapter } from '../domain/site-adapter.ts';
import type { SiteRow } from '../store/sites.ts';

/** What a process keeps open to a site. */
interface Connection<Adapter> {
  readonly siteId: string;
  /** Whose account it uses; undefined for the gateway's. */
  readonly tenant: string | undefined;
  readonly adapter: Adapter;
  usedAt: number;
}

/** An adapter that knows how many of its calls have not come back. */
type CountingAdapter = SiteAdapter & { readonly callsInFlight: number };

/** What is known of the adapters that a process keeps. */
export interface ConnectionOptions<Adapter> {
  connect(site: SiteRow, tenant: string | undefined): Adapter;
  /** Steps that have an adapter of an older configuration in hand use it for so long at most. */
  readonly lingerMilliseconds: number;
  /** Told when an adapter could not be closed. */
  onError(error: unknown, siteId: string): void;
  /** Milliseconds of a clock that never goes back. */
  now?(): number;
}

/**
 * The adapters of a process, one for every site as it is configured and every account that is used there. One whose
 * site has been configured otherwise, or that nobody has asked for in an hour, is closed once its calls have come back.
 */
export class SiteConnections<Adapter extends CountingAdapter> {
  private readonly connections = new Map<string, Connection<Adapter>>();
  private readonly now: () => number;

  constructor(private readonly options: ConnectionOptions<Adapter>) {
    this.now = options.now ?? (() => performance.now());
  }

  adapterOf(site: SiteRow, tenant?: string): Adapter {
    const key = JSON.stringify([site.id, site.adapter, site.configuration, tenant]);
    let connection = this.connections.get(key);
    if (!connection) {
      connection = { siteId: site.id, tenant, adapter: this.options.connect(site, tenant), usedAt: 0 };
      this.connections.set(key, connection);
    }
    connection.usedAt = this.now();
    this.closeUnused();
    return connection.adapter;
  }

  private closeUnused(): void {
    for (const [key, connection] of this.connections) {
      if (connection.adapter.callsInFlight > 0 || !this.isUnused(connection)) continue;
      this.connections.delete(key);
      connection.adapter.close().catch((error: unknown) => this.options.onError(error, connection.siteId));
    }
  }

  private isUnused({ siteId, tenant, usedAt }: Connection<Adapter>): boolean {
    const idleMilliseconds = this.now() - usedAt;
    if (idleMilliseconds < this.options.lingerMilliseconds) return false;
    const isReplaced = [...this.connections.values()].some(
      (other) => other.siteId === siteId && other.tenant === tenant && other.usedAt > usedAt,
    );
    return isReplaced || idleMilliseconds > UNUSED_MILLISECONDS;
  }
}

/** Sites are looked at more often than that, as long as they are there. */
const UNUSED_MILLISECONDS = 3_600_000;
