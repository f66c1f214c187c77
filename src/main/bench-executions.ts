import { openDatabase } from '../store/database.ts';

/** What a bench of executions reads in the tables themselves. */
export interface ExecutionTables {
  /** Executions that are ended and booked. */
  settled(): Promise<number>;
  /** Rows that executions leave behind, by their tables. */
  rows(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

/** Opens the tables of a deployment beside it. */
export function readExecutionTables(databaseUrl: string): ExecutionTables {
  const database = openDatabase(databaseUrl, 1);
  const { db } = database;
  return {
    settled: () => db.execution.count({ where: { settledAt: { not: null } } }),
    async rows() {
      const counts = new Map<string, number>();
      counts.set('Plan', await db.plan.count());
      counts.set('Forecast', await db.forecast.count());
      counts.set('Score', await db.score.count());
      counts.set('Submission', await db.submission.count());
      counts.set('Charge', await db.charge.count());
      return counts;
    },
    close: () => database.close(),
  };
}
