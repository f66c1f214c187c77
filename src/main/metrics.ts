import { Counter, collectDefaultMetrics, exponentialBuckets, Gauge, Histogram, Registry } from 'prom-client';
import type { Clock } from '../domain/clock.ts';
import { withinTime } from '../domain/deadline.ts';
import type { FlowMeters } from '../flow/context.ts';
import type { Forecaster } from '../forecast/forecaster.ts';
import type { Database } from '../store/database.ts';
import type { StatementCounts } from '../store/statements.ts';
import { gaugeDeployment } from './deployment-gauges.ts';

/** In seconds. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** From 4 ms to 57 s in steps of a quarter, with an edge at two seconds: 99 % of wake-ups are to come before it. */
const LATENESS_BUCKETS = exponentialBuckets(2 / 1.25 ** 28, 1.25, 44);

const FORECASTER_PATIENCE_MILLISECONDS = 2000;

/** The Prometheus metrics of one process. */
export interface Metrics {
  readonly registry: Registry;
  /** Takes what durable execution reports. */
  readonly flow: FlowMeters;
  /** Notes one GraphQL operation. */
  observeOperation(operation: {
    name: string | null;
    type: string | null;
    milliseconds: number;
    failed: boolean;
  }): void;
}

/** What the metrics are taken of. */
interface Measured {
  readonly database: Database;
  readonly clock: Clock;
  readonly forecaster: Forecaster;
  readonly statements: StatementCounts;
}

/**
 * Collects Node.js' own metrics (event-loop delay among them), turns by step and result, learned waits, and how the
 * deployment stands, see `gaugeDeployment`.
 */
export function createMetrics({ database, clock, forecaster, statements }: Measured): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  countStatements(registry, statements);
  gaugeDeployment(registry, database, clock);
  gaugeLearnedWaits(registry, forecaster);
  const operations = new Histogram({
    name: 'gridcast_operation_seconds',
    help: 'Duration of GraphQL operations over HTTP',
    labelNames: ['type', 'result'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    flow: createFlowMeters(registry),
    // Callers choose the names of their operations, so names make no label.
    observeOperation: ({ type, milliseconds, failed }) =>
      operations.observe({ type: type ?? 'none', result: failed ? 'failed' : 'ok' }, milliseconds / 1000),
  };
}

function createFlowMeters(registry: Registry): FlowMeters {
  const steps = new Histogram({
    name: 'gridcast_step_seconds',
    help: 'Duration of the steps of durable execution',
    labelNames: ['step', 'result'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  });
  const lateness = new Histogram({
    name: 'gridcast_wake_up_lateness_seconds',
    help: "How long after the moment it wanted a row got its turn, by the service's clock",
    buckets: LATENESS_BUCKETS,
    registers: [registry],
  });
  const recomputed = new Counter({
    name: 'gridcast_recomputed_total',
    help: 'Looks at promises that wait for their submission',
    registers: [registry],
  });
  return {
    onStep: ({ name, result, milliseconds }) => steps.observe({ step: name, result }, milliseconds / 1000),
    onWakeUp: (latenessSeconds) => lateness.observe(latenessSeconds),
    onRecomputed: (count) => recomputed.inc(count),
  };
}

function countStatements(registry: Registry, statements: StatementCounts): void {
  new Counter({
    name: 'gridcast_statements_total',
    help: 'Statements sent to PostgreSQL by the main thread, queues included, by what they do',
    labelNames: ['statement'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [statement, count] of statements.entries()) this.inc({ statement }, count);
    },
  });
}

function gaugeLearnedWaits(registry: Registry, forecaster: Forecaster): void {
  new Gauge({
    name: 'gridcast_learned_waits',
    help: 'Waits the live predictors of this process have learned, by site',
    labelNames: ['site_id'],
    registers: [registry],
    async collect() {
      const states = (await withinTime(forecaster.state(), FORECASTER_PATIENCE_MILLISECONDS)) ?? [];
      this.reset();
      for (const { siteId, learnedWaits } of states) this.set({ site_id: siteId }, learnedWaits);
    },
  });
}
