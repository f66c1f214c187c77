import { describeComparison, describePromises } from '../hour/report.ts';
import type { Lab } from '../lab.ts';
import { compare } from './compare.ts';
import { labRuns } from './lab-runs.ts';
import { tallyPromises } from './promises.ts';
import { allExecutions, askAs } from './told-execution.ts';

/** Holds a service against the accounting of a lab's systems, whose names its sites bear; in lines for people. */
export async function compareLab(lab: Lab, url: string, token: string): Promise<{ words: string; isEqual: boolean }> {
  const executions = await allExecutions(askAs(url, token));
  const comparison = compare(executions, labRuns(lab, 'alice'));
  const words = `${describePromises(tallyPromises(executions))}\n${describeComparison(comparison)}`;
  return { words, isEqual: comparison.mismatches.length === 0 };
}
