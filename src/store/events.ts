import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Db } from './database.ts';
import { awayPauseMilliseconds, isDatabaseAway } from './database-away.ts';
import { DatabaseClient, STAYS_IDLE } from './database-client.ts';
import { ANY, gathered } from './gathered.ts';

/** Something a subscriber may be waiting for has changed. Carries ids only: the reader fetches what it may see. */
export interface ChangeEvent {
  readonly type: 'EXECUTION' | 'RESERVATION' | 'CO_ALLOCATION' | 'SITE' | 'JOB_GROUP';
  readonly id: string;
  /** Null for things that belong to no tenant. */
  readonly tenantId: string | null;
}

/** Name of the PostgreSQL channel that announces changes. */
export const CHANGE_CHANNEL = 'gridcast_changes';

/** Tells every process of the deployment about a change, when the transaction commits. */
export const publishChange: (tx: Db, event: ChangeEvent) => Promise<void> = gathered(ANY, async (tx, events) => {
  await publishChanges(tx, events);
  return events.map(() => undefined);
});

/** The same about several. */
export async function publishChanges(tx: Db, events: readonly ChangeEvent[]): Promise<void> {
  if (events.length === 0) return;
  const payloads = events.map((event) => JSON.stringify(event));
  await tx.$executeRaw`SELECT pg_notify(${CHANGE_CHANNEL}, payload) FROM unnest(${payloads}::text[]) AS payload`;
}

/** A subscription to one PostgreSQL channel that reconnects by itself. */
export interface Listener {
  close(): Promise<void>;
}

/**
 * Calls back for every change that any process publishes. Changes made while the connection is down are not reported;
 * `onReconnected` says that there may have been some.
 */
export function listenForChanges(
  url: string,
  onChange: (event: ChangeEvent) => void,
  onError: (error: Error) => void,
  onReconnected?: () => void,
): Promise<Listener> {
  const onPayload = (payload: string) => onChange(JSON.parse(payload) as ChangeEvent);
  return listen(url, CHANGE_CHANNEL, onPayload, onError, onReconnected);
}

/**
 * Calls back for every notification on a channel, over one connection of its own. A database that is away is waited for
 * in the background, at the start as later on.
 */
export async function listen(
  url: string,
  channel: string,
  onPayload: (payload: string) => void,
  onError: (error: Error) => void,
  onReconnected: () => void = () => undefined,
): Promise<Listener> {
  let client: pg.Client | null = null;
  let closed = false;

  async function connect(): Promise<void> {
    const fresh = new DatabaseClient({ connectionString: url });
    fresh.on('notification', (message) => onPayload(message.payload ?? ''));
    fresh.on('error', (error) => {
      onError(error);
      if (client === fresh) void reconnect();
    });
    await fresh.connect();
    await fresh.query(STAYS_IDLE);
    await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    if (closed) return fresh.end();
    client = fresh;
  }

  async function reconnect(): Promise<void> {
    client = null;
    for (let failures = 1; !closed && client === null; failures++) {
      await sleep(awayPauseMilliseconds(failures));
      if (!closed) await connect().catch(onError);
    }
    if (!closed) onReconnected();
  }

  try {
    await connect();
  } catch (error) {
    if (!(error instanceof Error) || !isDatabaseAway(error)) throw error;
    onError(error);
    void reconnect();
  }
  return {
    async close() {
      closed = true;
      await client?.end();
    },
  };
}
