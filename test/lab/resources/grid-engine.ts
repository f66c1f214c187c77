import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGridEngineAdapter } from '../../../adapters/gridengine/gridengine.ts';
import type { GridEngineCell } from '../gridengine/cell.ts';
import type { LabSpec } from '../lab.ts';
import { NOT_TO_BE_HAD, type OpenedSystem, type RequestSystem } from './requests.ts';

/** A cell that counts out memory, GPUs, disk space, licences and whole hosts. */
export const GRID_ENGINE_LAB = { cells: [{ name: 'geasks', slots: 8 }] } as const satisfies LabSpec;

/** Name, shortcut, type, relation, requestable, consumable, default, urgency; of h_vmem in place of the usual line. */
const COMPLEXES = `h_vmem h_vmem MEMORY <= YES YES 1G 0
gpu gpu INT <= YES YES 0 0
exclusive excl BOOL EXCL YES YES 0 1000
bigmem bigmem BOOL == YES NO FALSE 0
matlab matlab INT <= YES JOB 0 0
scratch scratch MEMORY <= YES YES 0 0
`;
const OF_THE_HOST = 'slots=8,h_vmem=4G,gpu=4,exclusive=true,bigmem=true,scratch=10G';

const PROBES: RequestSystem['probes'] = {
  nodes: { asks: { processors: 2, resources: { nodes: 1 } }, confirmedBy: /granted_pe\s+smp/ },
  tasks: { asks: { processors: 2, resources: { tasks: 2 } }, confirmedBy: NOT_TO_BE_HAD },
  tasksPerNode: { asks: { processors: 2, resources: { tasksPerNode: 2 } }, confirmedBy: NOT_TO_BE_HAD },
  processorsPerTask: { asks: { processors: 2, resources: { processorsPerTask: 2 } }, confirmedBy: NOT_TO_BE_HAD },
  memoryPerNodeMebibytes: {
    asks: { processors: 2, resources: { memoryPerNodeMebibytes: 401 } },
    confirmedBy: /category .*\bh_vmem=201M .*-pe smp 2/,
  },
  memoryPerProcessorMebibytes: {
    asks: { processors: 2, resources: { memoryPerProcessorMebibytes: 300 } },
    confirmedBy: /category .*\bh_vmem=300M\b/,
  },
  gpus: { asks: { processors: 2, resources: { gpus: 4 } }, confirmedBy: /category .*\bgpu=2\b/ },
  gpuKind: { asks: { resources: { gpus: 1, gpuKind: 'v100' } }, confirmedBy: NOT_TO_BE_HAD },
  constraints: { asks: { resources: { constraints: ['bigmem'] } }, confirmedBy: /category .*\bbigmem=TRUE\b/ },
  exclusive: { asks: { resources: { exclusive: true } }, confirmedBy: /category .*\bexclusive=TRUE\b/ },
  licences: {
    asks: { processors: 2, resources: { licences: [{ name: 'matlab', count: 3 }] } },
    confirmedBy: /category .*\bmatlab=3\b/,
  },
  tmpPerNodeMebibytes: {
    asks: { resources: { tmpPerNodeMebibytes: 900 } },
    confirmedBy: /category .*\bscratch=900M\b/,
  },
  account: { asks: { terms: { account: 'physics' } }, confirmedBy: /account\s+physics\b/ },
  qos: { asks: { terms: { qos: 'urgent' } }, confirmedBy: NOT_TO_BE_HAD },
  siteReservation: { asks: { terms: { siteReservation: '1' } }, confirmedBy: /arid\s+\d+\b/ },
  environment: { asks: { environment: { ASKED: 'a, b=$c' } }, confirmedBy: /variable a, b=\$c/ },
  workFolder: { asks: { workFolder: '/var/tmp' }, confirmedBy: /cwd:\s+\/var\/tmp\n[\s\S]*folder \/var\/tmp/ },
  mail: {
    asks: { mail: { address: 'alice@localhost', events: ['END', 'FAIL'] } },
    confirmedBy: /mail_options:\s+ae\n[\s\S]*mail_list:\s+alice@localhost/,
  },
};

/** Grid Engine. */
export const GRID_ENGINE_SYSTEM: RequestSystem = {
  name: 'Grid Engine',
  lab: GRID_ENGINE_LAB,
  probes: PROBES,
  open: (lab, folder) => openGridEngine(lab.cells[0] as GridEngineCell, folder),
};

function openGridEngine(cell: GridEngineCell, folder: string): OpenedSystem {
  equip(cell);
  const adapter = createGridEngineAdapter({
    environment: cell.clientEnvironment('alice'),
    workFolder: folder,
    accountingLagSeconds: 5,
    gpuResource: 'gpu',
    exclusiveResource: 'exclusive',
    tmpResource: 'scratch',
  });
  const atSubmission = new Map<string, string>();
  return {
    adapter: {
      ...adapter,
      submit: async (spec, key) => {
        const isReserved = spec.terms?.siteReservation !== undefined;
        const terms = isReserved ? { siteReservation: await reserve(cell) } : spec.terms;
        const accepted = await adapter.submit({ ...spec, terms }, key);
        atSubmission.set(accepted.nativeId, cell.run(['qstat', '-j', accepted.nativeId]).stdout);
        if (isReserved) await endReservation(cell, accepted.nativeId);
        return { ...accepted, key };
      },
    },
    tell: async (nativeId) => `${await accountedFor(cell, nativeId)}\n${atSubmission.get(nativeId)}`,
  };
}

/** The number of an advance reservation for alice, which is not to be had while a job is alone on the host. */
async function reserve(cell: GridEngineCell): Promise<string> {
  const giveUpAt = performance.now() + 60_000;
  for (;;) {
    const { status, stdout, stderr } = cell.run(['qrsub', '-d', '0:10:0', '-u', 'alice', '-q', 'batch.q']);
    const [, number] = /advance reservation (\d+) has been granted/.exec(stdout) ?? [];
    if (status === 0 && number !== undefined) return number;
    if (performance.now() > giveUpAt) throw new Error(`qrsub failed: ${stderr || stdout}`);
    await sleep(500);
  }
}

/** Deletes the reservation once its job is over: nothing else on its host would be alone there. */
async function endReservation(cell: GridEngineCell, nativeId: string): Promise<void> {
  await accountedFor(cell, nativeId);
  cell.run(['qrdel', '-u', '*']);
}

/** What qacct says of a job, once it does. */
async function accountedFor(cell: GridEngineCell, nativeId: string): Promise<string> {
  const giveUpAt = performance.now() + 30_000;
  for (;;) {
    const { status, stdout, stderr } = cell.run(['qacct', '-j', nativeId]);
    if (status === 0 || performance.now() > giveUpAt) return stdout || stderr;
    await sleep(300);
  }
}

/** Makes it count out what jobs are to ask for. */
function equip(cell: GridEngineCell): void {
  const q = (...words: string[]) => {
    const { status, stdout, stderr } = cell.run(words);
    if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr || stdout}`);
    return stdout;
  };
  const file = join(cell.files.configuration, 'complexes');
  const usual = q('qconf', '-sc').replace(/^h_vmem\s.*\n/m, '');
  writeFileSync(file, usual.endsWith('\n') ? usual + COMPLEXES : `${usual}\n${COMPLEXES}`);
  q('qconf', '-Mc', file);
  q('qconf', '-rattr', 'exechost', 'complex_values', OF_THE_HOST, cell.name);
  q('qconf', '-rattr', 'exechost', 'complex_values', 'matlab=3', 'global');
}
