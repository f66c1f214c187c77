import type { ToldExecution } from './told-execution.ts';

/** Promised against kept over the decided promises of a kind. */
export interface PromiseTally {
  readonly name: string;
  readonly decided: number;
  /** Mean probability promised. */
  readonly promised: number;
  /** Share kept. */
  readonly kept: number;
  /** Two standard errors of the share, were the promises true and independent. */
  readonly twoStandardErrors: number;
}

/** Tallies of all decided promises, and of those of each site. */
export function tallyPromises(executions: readonly ToldExecution[]): PromiseTally[] {
  const decided = executions.filter(({ promise }) => promise?.state === 'KEPT' || promise?.state === 'MISSED');
  const sites = [...new Set(decided.map(({ site }) => site?.name ?? 'none'))].sort();
  const at = (name: string) => decided.filter(({ site }) => (site?.name ?? 'none') === name);
  return [tally('all', decided), ...sites.map((name) => tally(name, at(name)))];
}

function tally(name: string, executions: readonly ToldExecution[]): PromiseTally {
  const promises = executions.flatMap(({ promise }) => promise ?? []);
  const n = promises.length;
  const share = (sum: number) => (n === 0 ? Number.NaN : sum / n);
  const variance = promises.reduce((sum, { promisedProbability: p }) => sum + p * (1 - p), 0);
  return {
    name,
    decided: n,
    promised: share(promises.reduce((sum, { promisedProbability }) => sum + promisedProbability, 0)),
    kept: share(promises.filter(({ state }) => state === 'KEPT').length),
    twoStandardErrors: share(2 * Math.sqrt(variance)),
  };
}
