import { type LabSpec, labMissing, partsOf } from '../lab.ts';
import { installPackages } from '../packages.ts';

/** @throws Error when something of what the lab needs is neither there nor to be had */
export function makeReadyFor(spec: LabSpec): void {
  installPackages(partsOf(spec));
  const missing = labMissing(spec);
  if (missing) throw new Error(missing);
}
