import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../domain/clock.ts';
import { type Database, isReachable } from '../store/database.ts';
import { countExecutionsByState } from '../store/executions.ts';
import { countDueTurns, listSiteConditions, lookAtOutbox } from '../store/operations.ts';
import { nowAndThen } from './now-and-then.ts';

/** A database that has not answered by then is away. */
const DATABASE_PATIENCE_MILLISECONDS = 2000;

/** One series of a gauge: its labels and what they stand at. */
type Series = readonly [labels: Readonly<Record<string, string>>, value: number];

/**
 * Gauges of the whole deployment, the same by whichever process they are told: what is due, what waits in the outbox,
 * how sites are seen. While PostgreSQL is away they have no series, but for the one that says so, and nobody waits.
 */
export function gaugeDeployment(registry: Registry, database: Database, clock: Clock): void {
  gaugeDatabase(registry, database);
  gaugeExecutions(registry, database);
  gaugeDueRows(registry, database, clock);
  gaugeOutbox(registry, database);
  gaugeSites(registry, database, clock);
}

function gaugeDatabase(registry: Registry, database: Database): void {
  const isUp = nowAndThen(() => isReachable(database, DATABASE_PATIENCE_MILLISECONDS));
  const help = 'Whether PostgreSQL answers this process and takes what is written, 0 or 1';
  gauge(registry, 'gridcast_database_up', help, [], async () => [[{}, Number((await isUp()) === true)]]);
}

function gaugeExecutions(registry: Registry, database: Database): void {
  const read = nowAndThen(() => countExecutionsByState(database.db));
  gauge(registry, 'gridcast_executions', 'Executions by state', ['state'], async () =>
    (await read())?.map(({ state, count }) => [{ state }, count]),
  );
}

function gaugeDueRows(registry: Registry, database: Database, clock: Clock): void {
  const read = nowAndThen(() => countDueTurns(database.db, clock.now()));
  gauge(registry, 'gridcast_due_rows', 'Rows that want a turn by now and have none, by kind', ['kind'], async () =>
    (await read())?.map(({ kind, due }) => [{ kind }, due]),
  );
  const help = "How long the first of them has wanted it, by the service's clock";
  gauge(registry, 'gridcast_oldest_due_seconds', help, ['kind'], async () =>
    (await read())?.map(({ kind, lagSeconds }) => [{ kind }, lagSeconds]),
  );
}

function gaugeOutbox(registry: Registry, database: Database): void {
  const read = nowAndThen(async () => [await lookAtOutbox(database.db)]);
  const help = 'Wake-ups that were written down and are not in the queue store yet';
  gauge(registry, 'gridcast_outbox_rows', help, [], async () => (await read())?.map(({ count }) => [{}, count]));
  const helpOfAge = 'Wall time since the first of them was written down';
  gauge(registry, 'gridcast_outbox_oldest_seconds', helpOfAge, [], async () =>
    (await read())?.map(({ oldestSeconds }) => [{}, oldestSeconds]),
  );
}

function gaugeSites(registry: Registry, database: Database, clock: Clock): void {
  const read = nowAndThen(() => listSiteConditions(database.db, clock.now()));
  const help = "Age of the site's last observation, or of its registration, by the service's clock";
  gauge(registry, 'gridcast_site_age_seconds', help, ['site'], async () =>
    (await read())?.map(({ site, ageSeconds }) => [{ site }, ageSeconds]),
  );
  gauge(registry, 'gridcast_site_fault', 'Sites whose newest look failed, by fault', ['site', 'code'], async () =>
    (await read())?.flatMap(({ site, fault }): Series[] => (fault === null ? [] : [[{ site, code: fault }, 1]])),
  );
  gauge(registry, 'gridcast_site_down', 'Whether the site is taken to be down, 0 or 1', ['site'], async () =>
    (await read())?.map(({ site, isDown }) => [{ site }, Number(isDown)]),
  );
  const helpOfPromises = 'Whether promises at the site are suspended, 0 or 1';
  gauge(registry, 'gridcast_site_suspended', helpOfPromises, ['site'], async () =>
    (await read())?.map(({ site, isSuspended }) => [{ site }, Number(isSuspended)]),
  );
}

/** A gauge that has the series that are there when it is asked, and no other. */
function gauge(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly string[],
  tell: () => Promise<readonly Series[] | undefined>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const told = (await tell()) ?? [];
      this.reset();
      // One without labels would stand at 0.
      if (labelNames.length === 0) this.remove();
      for (const [labels, value] of told) this.set(labels, value);
    },
  });
}
