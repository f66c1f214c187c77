import { createOarAdapter } from '../../../adapters/oar/oar.ts';
import type { LabSpec } from '../lab.ts';
import type { OarServer } from '../oar/server.ts';
import { NOT_TO_BE_HAD, type OpenedSystem, type RequestSystem } from './requests.ts';

/** Two nodes, of which the first has two GPUs, more memory and a feature. */
export const OAR_LAB = {
  servers: [{ name: 'oarasks', nodes: 2, processorsPerNode: 4 }],
} as const satisfies LabSpec;

const PROBES: RequestSystem['probes'] = {
  nodes: { asks: { processors: 2, resources: { nodes: 2 } }, confirmedBy: /network_address=2\/resource_id=1,/ },
  tasks: { asks: { processors: 2, resources: { tasks: 2 } }, confirmedBy: NOT_TO_BE_HAD },
  tasksPerNode: { asks: { processors: 2, resources: { tasksPerNode: 2 } }, confirmedBy: NOT_TO_BE_HAD },
  processorsPerTask: { asks: { processors: 2, resources: { processorsPerTask: 2 } }, confirmedBy: NOT_TO_BE_HAD },
  memoryPerNodeMebibytes: {
    asks: { resources: { memoryPerNodeMebibytes: 20_000 } },
    confirmedBy: /memnode >= 20\b[\s\S]*"node1"/,
  },
  memoryPerProcessorMebibytes: {
    asks: { processors: 2, resources: { memoryPerProcessorMebibytes: 10_240 } },
    confirmedBy: /memnode >= 20\b[\s\S]*"node1"/,
  },
  gpus: { asks: { processors: 2, resources: { gpus: 2 } }, confirmedBy: /network_address=1\/gpu=2\/resource_id=1,/ },
  gpuKind: { asks: { resources: { gpus: 1, gpuKind: 'V100' } }, confirmedBy: /gpu_model = 'V100'[\s\S]*"node1"/ },
  constraints: { asks: { resources: { constraints: ['bigmem'] } }, confirmedBy: /bigmem = 'YES'[\s\S]*"node1"/ },
  exclusive: { asks: { resources: { exclusive: true } }, confirmedBy: /4 resources assigned/ },
  licences: { asks: { resources: { licences: [{ name: 'matlab', count: 1 }] } }, confirmedBy: NOT_TO_BE_HAD },
  tmpPerNodeMebibytes: { asks: { resources: { tmpPerNodeMebibytes: 9 } }, confirmedBy: NOT_TO_BE_HAD },
  account: { asks: { terms: { account: 'physics' } }, confirmedBy: /"project" : "physics"/ },
  qos: { asks: { terms: { qos: 'urgent' } }, confirmedBy: NOT_TO_BE_HAD },
  siteReservation: { asks: { terms: { siteReservation: '1' } }, confirmedBy: NOT_TO_BE_HAD },
  environment: { asks: { environment: { ASKED: 'a, b=$c' } }, confirmedBy: /variable a, b=\$c/ },
  workFolder: {
    asks: { workFolder: '/var/tmp' },
    confirmedBy: /"launchingDirectory" : "\/var\/tmp"[\s\S]*folder \/var\/tmp/,
  },
  mail: {
    asks: { mail: { address: 'alice@localhost', events: ['END', 'FAIL'] } },
    confirmedBy: /--notify=\[END,ERROR\]mail:alice@localhost[\s\S]*USER_MAIL_NOTIFICATION/,
  },
};

/** OAR. */
export const OAR_SYSTEM: RequestSystem = {
  name: 'OAR',
  lab: OAR_LAB,
  probes: PROBES,
  open: (lab) => openOar(lab.servers[0] as OarServer),
};

function openOar(server: OarServer): OpenedSystem {
  equip(server);
  const adapter = createOarAdapter({
    environment: server.clientEnvironment('alice'),
    workFolder: server.workFolder,
    memoryProperty: 'memnode',
    memoryUnitMebibytes: 1024,
    gpuResource: 'gpu',
    gpuKindProperty: 'gpu_model',
  });
  return {
    adapter: {
      ...adapter,
      submit: async (spec, key) => {
        return { ...(await adapter.submit(spec, key)), key };
      },
    },
    tell: async (nativeId) => {
      const { stdout } = server.run(['oarstat', '-f', '-J', '-j', nativeId]);
      const [job] = Object.values(JSON.parse(stdout) as Record<string, { assigned_resources: unknown[] }>);
      return [...inOrder(stdout), `${job?.assigned_resources.length} resources assigned`].join('\n');
    },
  };
}

/** The lines of the answer, in which the order of the fields is another one each time. */
function inOrder(json: string): string[] {
  const [job = {}] = Object.values(JSON.parse(json) as Record<string, Record<string, unknown>>);
  const shown = ['wanted_resources', 'properties', 'project', 'launchingDirectory', 'initial_request', 'events'];
  return [...shown, 'assigned_network_address'].map((name) => `"${name}" : ${JSON.stringify(job[name])}`);
}

function equip(server: OarServer): void {
  const set = (...words: string[]) => {
    const { status, stdout, stderr } = server.run(words);
    if (status !== 0) throw new Error(`${words.join(' ')} failed: ${stderr || stdout}`);
  };
  for (const name of ['memnode', 'gpu']) set('oarproperty', '-a', name);
  for (const name of ['gpu_model', 'bigmem']) set('oarproperty', '-c', '-a', name);
  set('oarnodesetting', '-h', 'node1', '-p', 'memnode=64', '-p', 'bigmem=YES');
  set('oarnodesetting', '-h', 'node2', '-p', 'memnode=16');
  for (const number of [1, 2, 3, 4]) {
    set('oarnodesetting', '-r', `${number}`, '-p', `gpu=${Math.ceil(number / 2)}`, '-p', 'gpu_model=V100');
  }
}
