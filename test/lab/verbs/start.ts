import { startLab, WHOLE_LAB } from '../lab.ts';
import { writeLabSites } from '../sites.ts';
import { describeLab } from './describe-lab.ts';
import { makeReadyFor } from './make-ready.ts';

/** Starts the whole lab, which runs until `stop`, and tells how to make it known to a service. */
export async function run(): Promise<void> {
  makeReadyFor(WHOLE_LAB);
  const startedAt = performance.now();
  const lab = await startLab(WHOLE_LAB, { stays: true, tell: console.log });
  const registrations = writeLabSites(lab).map(
    ({ site, file }) => `  npx gridcast sites register ${site.name} --adapter ${site.adapter} --configuration @${file}`,
  );
  console.log([describeLab(lab), 'to make them known:', ...registrations].join('\n'));
  console.log(`up in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
