import { compareLab } from '../compare/compare-lab.ts';
import { openStayingLabs } from '../lab.ts';
import { serviceOf } from './options.ts';

/**
 * Holds a service whose sites bear the names of the lab's systems against their accounting; fails where they differ.
 */
export async function run(): Promise<void> {
  const { url, token } = serviceOf('compare');
  const [lab] = openStayingLabs();
  if (!lab) throw new Error('no lab is running; `npm run lab` starts one');
  const { words, isEqual } = await compareLab(lab, `${url}/graphql`, token);
  console.log(words);
  if (!isEqual) process.exitCode = 1;
}
