import type { LicenceCount, NodeShape } from '../../src/domain/node-shape.ts';
import type { SiteFacts } from '../../src/domain/site.ts';
import { groupShapes } from '../shared/node-shapes.ts';
import { capacityOf, runsBatchJobs, takesJobs } from './capacity.ts';
import type { GridEngineCommands } from './commands.ts';
import { type Complex, type HostEquipment, mebibytesOf } from './complexes.ts';
import type { ResourceNames } from './config.ts';
import type { QueueReading } from './layout.ts';
import type { Hosts } from './parse.ts';

/** Each takes a command; of those beyond only their slots are known. */
const MOST_HOSTS = 1000;

/** What a cell has for jobs beside slots. */
export async function readEquipment(
  commands: Pick<GridEngineCommands, 'describeHosts'>,
  { hosts, complexes }: Pick<QueueReading, 'hosts' | 'complexes'>,
  names: ResourceNames,
): Promise<Pick<SiteFacts, 'nodeShapes' | 'licences'>> {
  const first = [...new Set(hosts.instances.map(({ host }) => host))].slice(0, MOST_HOSTS);
  const [global, ...equipment] = await commands.describeHosts(['global', ...first]);
  return { nodeShapes: shapesOf(hosts, equipment, complexes, names), licences: licencesOf(global, complexes) };
}

/** What the hosts of a cell have for jobs, by their shapes. */
export function shapesOf(
  hosts: Hosts,
  equipment: readonly HostEquipment[],
  complexes: readonly Complex[],
  names: ResourceNames,
): NodeShape[] {
  const byHost = new Map(equipment.map((one) => [one.host, one]));
  const queuesOf = (host: string) => hosts.instances.filter((instance) => instance.host === host);
  const all = [...new Set(hosts.instances.map(({ host }) => host))].map((host) => {
    const instances = queuesOf(host);
    const processors = capacityOf({ instances, slotsLeft: hosts.slotsLeft }).all;
    const queues = [...new Set(instances.map(({ queue }) => queue))];
    const shape = { processors, ...equipmentOf(byHost.get(host), complexes, names), queues };
    return { shape, isInService: instances.some((one) => runsBatchJobs(one) && takesJobs(one)) };
  });
  return groupShapes(all.filter(({ shape }) => shape.processors > 0));
}

function equipmentOf(host: HostEquipment | undefined, complexes: readonly Complex[], names: ResourceNames) {
  const values: ReadonlyMap<string, string> = host?.values ?? new Map();
  const gpus = Number(values.get(names.gpuResource ?? '') ?? 0);
  const tmp = names.tmpResource === undefined ? null : mebibytesOf(values.get(names.tmpResource));
  const isFeature = ({ name, type }: Complex) => type === 'BOOL' && name !== names.exclusiveResource;
  return {
    memoryMebibytes: mebibytesOf(values.get(names.memoryResource)) ?? host?.memoryMebibytes ?? null,
    gpus: gpus > 0 ? [{ kind: null, count: gpus }] : [],
    features: complexes.filter(isFeature).flatMap(({ name }) => (isTrue(values.get(name)) ? [name] : [])),
    ...(tmp === null ? {} : { tmpMebibytes: tmp }),
  };
}

function isTrue(value: string | undefined): boolean {
  return /^(?:true|1)$/i.test(value ?? '');
}

/** What the cell counts out to jobs wherever they run: whole numbers of the host `global`. */
export function licencesOf(global: HostEquipment | undefined, complexes: readonly Complex[]): LicenceCount[] {
  const counted = complexes.filter(({ type, consumable, name }) => {
    return /^(?:INT|DOUBLE)$/.test(type) && consumable !== 'NO' && name !== 'slots';
  });
  return counted.flatMap(({ name }) => {
    const count = Number(global?.values.get(name) ?? 0);
    return Number.isInteger(count) && count > 0 ? [{ name, count }] : [];
  });
}
