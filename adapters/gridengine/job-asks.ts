import { Rejected } from '../../src/domain/failures.ts';
import type { JobSpec } from '../../src/domain/job.ts';
import type { RequestName } from '../../src/domain/resources.ts';
import { assertHonoured, assertIdentifier, shareEvenly } from '../shared/plain-requests.ts';
import type { Complex } from './complexes.ts';
import type { ResourceNames } from './config.ts';

/**
 * What jobs can ask of a cell. It knows slots, not tasks; what it counts out beside them has the names that its
 * configuration tells.
 */
export function honoursOf(names: ResourceNames): readonly RequestName[] {
  return [
    ...(['nodes', 'memoryPerNodeMebibytes', 'memoryPerProcessorMebibytes'] as const),
    ...(names.gpuResource === undefined ? [] : (['gpus'] as const)),
    ...(['constraints'] as const),
    ...(names.exclusiveResource === undefined ? [] : (['exclusive'] as const)),
    ...(['licences'] as const),
    ...(names.tmpResource === undefined ? [] : (['tmpPerNodeMebibytes'] as const)),
    ...(['account', 'siteReservation', 'environment', 'workFolder', 'mail'] as const),
  ];
}

/**
 * The words of `qsub` for what a job asks for beside slots, walltime and queue.
 * @throws Rejected naming the request that the cell cannot honour; nothing has happened
 */
export function requestOptions(spec: JobSpec, names: ResourceNames, complexes: readonly Complex[]): string[] {
  assertHonoured(spec, honoursOf(names), 'Grid Engine');
  const asked = [...memoryOf(spec, names), ...equipmentOf(spec, names)];
  const requests = asked.flatMap((one) => ['-l', `${one.resource}=${askedValue(one, spec.processors, complexes)}`]);
  // While a job is alone on its hosts, `-w e` takes them for ones on which nothing can ever run.
  const verified = names.exclusiveResource === undefined ? [] : ['-w', 'n'];
  return [...verified, ...requests, ...termsOf(spec, names)];
}

/** On how many hosts the slots have to be, all of them alike; null where that is left to the cell. */
export function hostsAsked({ processors, resources = {} }: JobSpec): number | null {
  const { nodes, memoryPerNodeMebibytes } = resources;
  if (nodes === undefined) return memoryPerNodeMebibytes === undefined ? null : 1;
  shareEvenly(processors, nodes, 'nodes', 'nodes');
  return nodes;
}

interface Ask {
  readonly request: RequestName;
  readonly resource: string;
  /** For the whole job where it is counted out; the value itself where it is not. */
  readonly amount: number | 'TRUE';
  /** Behind the figure. */
  readonly unit?: 'M';
}

function memoryOf(spec: JobSpec, { memoryResource }: ResourceNames): Ask[] {
  const { memoryPerNodeMebibytes: perNode, memoryPerProcessorMebibytes: perProcessor } = spec.resources ?? {};
  const ofProcessors = (each: number, request: RequestName): Ask[] => [
    { request, resource: memoryResource, amount: each * spec.processors, unit: 'M' },
  ];
  if (perProcessor !== undefined) return ofProcessors(perProcessor, 'memoryPerProcessorMebibytes');
  if (perNode === undefined) return [];
  const slotsPerNode = spec.processors / (hostsAsked(spec) ?? 1);
  return ofProcessors(Math.ceil(perNode / slotsPerNode), 'memoryPerNodeMebibytes');
}

function equipmentOf({ processors, resources = {} }: JobSpec, names: ResourceNames): Ask[] {
  const { gpus, constraints = [], licences = [], exclusive, tmpPerNodeMebibytes: tmp, nodes = 1 } = resources;
  for (const name of constraints) assertIdentifier(name, 'constraints', 'Grid Engine');
  for (const { name } of licences) assertIdentifier(name, 'licences', 'Grid Engine');
  const { gpuResource, exclusiveResource, tmpResource } = names;
  return [
    ...(gpus === undefined || gpuResource === undefined
      ? []
      : [{ request: 'gpus' as const, resource: gpuResource, amount: gpus }]),
    ...constraints.map((name) => ({ request: 'constraints' as const, resource: name, amount: 'TRUE' as const })),
    ...(exclusive && exclusiveResource !== undefined
      ? [{ request: 'exclusive' as const, resource: exclusiveResource, amount: 'TRUE' as const }]
      : []),
    ...licences.map(({ name, count }) => ({ request: 'licences' as const, resource: name, amount: count })),
    ...(tmp === undefined || tmpResource === undefined
      ? []
      : [
          {
            request: 'tmpPerNodeMebibytes' as const,
            resource: tmpResource,
            amount: Math.ceil((tmp * nodes) / processors) * processors,
            unit: 'M' as const,
          },
        ]),
  ];
}

/** A consumable is asked for by its share of a slot, unless the cell counts it out by jobs. */
function askedValue(
  { request, resource, amount, unit = '' as 'M' }: Ask,
  slots: number,
  complexes: readonly Complex[],
): string {
  const complex = complexes.find(({ name }) => name === resource);
  if (complex === undefined) {
    throw new Rejected(`${request}: the cell has no resource ${JSON.stringify(resource)}; ask for others`);
  }
  if (amount === 'TRUE') return amount;
  if (complex.consumable === 'JOB') return `${amount}${unit}`;
  return `${shareEvenly(amount, slots, request, 'slots')}${unit}`;
}

const MAIL_LETTERS = { BEGIN: 'b', END: 'e', FAIL: 'a' } as const;

function termsOf({ terms = {}, mail }: JobSpec, { accountsAre }: ResourceNames): string[] {
  const { account, siteReservation } = terms;
  const letters = mail?.events.map((event) => MAIL_LETTERS[event]).join('') || 'n';
  return [
    ...(account === undefined ? [] : [accountsAre === 'PROJECTS' ? '-P' : '-A', account]),
    ...(siteReservation === undefined ? [] : ['-ar', reservationNumber(siteReservation)]),
    ...(mail === undefined ? [] : ['-m', letters, '-M', mail.address]),
  ];
}

function reservationNumber(text: string): string {
  if (/^\d{1,10}$/.test(text)) return text;
  throw new Rejected(
    `siteReservation: ${JSON.stringify(text)} is no number of an advance reservation, as qrstat lists`,
  );
}
