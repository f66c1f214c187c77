import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type LabSpec, labMissing, partsOf, startLab } from '../lab.ts';
import { installPackages } from '../packages.ts';
import { GRID_ENGINE_SYSTEM } from './grid-engine.ts';
import { OAR_SYSTEM } from './oar.ts';
import { checkRequests, type RequestFinding, type RequestSystem } from './requests.ts';
import { SLURM_SYSTEMS } from './slurm.ts';

/** Every batch system that is asked, in each of its ways. */
const SYSTEMS: readonly RequestSystem[] = [...SLURM_SYSTEMS, GRID_ENGINE_SYSTEM, OAR_SYSTEM];

/** Starts every lab that a system needs, one after the other, and asks the systems in it. */
export async function findRequests(tell: (line: string) => void): Promise<RequestFinding[]> {
  const findings: RequestFinding[] = [];
  for (const spec of new Set(SYSTEMS.map(({ lab }) => lab))) {
    findings.push(...(await findIn(spec, tell)));
  }
  return findings;
}

async function findIn(spec: LabSpec, tell: (line: string) => void): Promise<RequestFinding[]> {
  installPackages(partsOf(spec), tell);
  const missing = labMissing(spec);
  if (missing) throw new Error(missing);
  const lab = await startLab(spec, { tell });
  try {
    const folder = join(lab.folder, 'work');
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o1777);
    const findings: RequestFinding[] = [];
    for (const system of SYSTEMS.filter((one) => one.lab === spec)) {
      tell(`asking ${system.name} ...`);
      const opened = system.open(lab, folder);
      try {
        findings.push(...(await checkRequests(system, opened)));
      } finally {
        await opened.adapter.close();
      }
    }
    return findings;
  } finally {
    await lab.stop();
  }
}
