import type { BenchStack } from './bench-stack.ts';
import { familyMilliseconds, readProcessCpu } from './process-cpu.ts';

/** What a stack has spent so far: amounts by what they are, sums of what can be counted. */
export type Spent = ReadonlyMap<string, number>;

/** CPU of its processes in milliseconds, and the statements, steps and operations that they count themselves. */
export async function readSpent(stack: BenchStack): Promise<Spent> {
  const spent = new Map<string, number>();
  for (const [name, pid] of stack.pids()) {
    if (name === 'launcher') continue;
    if (name === 'postgres') {
      spent.set('CPU: PostgreSQL', familyMilliseconds(pid));
      continue;
    }
    const { mainMilliseconds, otherMilliseconds } = readProcessCpu(pid);
    spent.set(`CPU: ${name}, main thread`, mainMilliseconds);
    spent.set(`CPU: ${name}, its other threads`, otherMilliseconds);
  }
  const metrics = [
    ['api', await stack.apiMetrics()],
    ['worker', await stack.workerMetrics()],
  ] as const;
  for (const [process, text] of metrics) {
    for (const { label, value } of samples(text, 'gridcast_statements_total', 'statement')) {
      spent.set(`statements: ${process}: ${label}`, value);
    }
    for (const { label, value } of samples(text, 'gridcast_step_seconds_count', 'step')) {
      spent.set(`step: ${label}`, (spent.get(`step: ${label}`) ?? 0) + value);
    }
    for (const { label, value } of samples(text, 'gridcast_step_seconds_sum', 'step')) {
      spent.set(`seconds in step: ${label}`, (spent.get(`seconds in step: ${label}`) ?? 0) + value);
    }
  }
  return spent;
}

/** CPU of all that is in a reading, in milliseconds. */
export function cpuSpent(spent: Spent): number {
  return [...spent].reduce((sum, [name, value]) => (name.startsWith('CPU: ') ? sum + value : sum), 0);
}

/** What was spent between two readings, per piece of work, where it was anything. */
export function spentPerPiece(before: Spent, after: Spent, pieces: number): ReadonlyMap<string, number> {
  const each = [...after].map(([name, value]) => [name, (value - (before.get(name) ?? 0)) / pieces] as const);
  return new Map(each.filter(([, value]) => value >= LEAST));
}

/** One row per figure, the largest of each kind first: CPU, steps, then statements with their sums. */
export function spentRows(each: ReadonlyMap<string, number>): { what: string; value: number; unit: string }[] {
  const byKind = (prefix: string) =>
    [...each].filter(([name]) => name.startsWith(prefix)).sort(([, one], [, other]) => other - one);
  const cpu = byKind('CPU: ').map(([what, value]) => ({ what, value: round(value), unit: 'ms each' }));
  const total = byKind('CPU: ').reduce((sum, [, value]) => sum + value, 0);
  const steps = byKind('step: ').flatMap(([what, count]) => {
    const seconds = each.get(`seconds in ${what}`) ?? 0;
    const took = { what: `${what}, from begin to end`, value: round((1000 * seconds) / count), unit: 'ms a run' };
    return [{ what, value: round(count), unit: 'runs each' }, took];
  });
  const statements = ['api', 'worker'].flatMap((process) => {
    const own = byKind(`statements: ${process}: `);
    const sum = own.reduce((soFar, [, value]) => soFar + value, 0);
    const transactions = each.get(`statements: ${process}: COMMIT`) ?? 0;
    return [
      { what: `statements: ${process}, all`, value: round(sum), unit: 'round trips each' },
      { what: `transactions: ${process}`, value: round(transactions), unit: 'each' },
      ...own.map(([what, value]) => ({ what, value: round(value), unit: 'each' })),
    ];
  });
  return [{ what: 'CPU: all', value: round(total), unit: 'ms each' }, ...cpu, ...steps, ...statements];
}

function* samples(text: string, metric: string, name: string): Generator<{ label: string; value: number }> {
  const line = new RegExp(`^${metric}\\{[^}]*\\b${name}="([^"]*)"[^}]*\\} (\\S+)`, 'gm');
  for (const [, label = '', value] of text.matchAll(line)) yield { label, value: Number(value) };
}

function round(value: number): number {
  return Math.round(100 * value) / 100;
}

/** Less than that a piece is what a process does in any case. */
const LEAST = 0.02;
