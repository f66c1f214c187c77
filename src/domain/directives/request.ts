import { canonical } from '../canonical.ts';
import type { JobResources, MailRequest, SiteTerms } from '../resources.ts';
import { cut } from '../text.ts';
import type { Directive, DirectiveWishes, WishName } from './directive.ts';

/** What a job asks for in the words of Gridcast; what is absent or null is not asked for. */
export interface TypedRequest {
  readonly name?: string | undefined;
  readonly queue?: string | null | undefined;
  readonly processors?: number | undefined;
  readonly walltimeSeconds?: number | undefined;
  readonly resources?: JobResources | undefined;
  readonly account?: SiteTerms['account'] | undefined;
  readonly qos?: SiteTerms['qos'] | undefined;
  readonly siteReservation?: SiteTerms['siteReservation'] | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly workFolder?: string | undefined;
  readonly mail?: MailRequest | undefined;
}

/** What directives ask for together. */
export interface AskedFor {
  readonly request: TypedRequest;
  /** The directives that count for each field, by its path in the request. */
  readonly by: ReadonlyMap<string, readonly Directive[]>;
  /** Those that a later one has replaced. */
  readonly replaced: ReadonlySet<Directive>;
}

/** Wishes of which the last one counts. */
const ALTERNATIVES: readonly (readonly WishName[])[] = [
  ['memoryPerNodeMebibytes', 'memoryPerProcessorMebibytes', 'memoryMebibytes'],
  ['gpus', 'gpusPerNode', 'gpusPerTask'],
];

/**
 * What directives ask for together, in the words of Gridcast. Of one that is given twice the last counts, as it does
 * for every system; variables and features add up.
 */
export function requestOf(directives: readonly Directive[]): AskedFor {
  const { last, replaced } = lastOfEach(directives);
  const asked = <Name extends WishName>(name: Name) =>
    last.get(name)?.at(-1)?.wish?.value as DirectiveWishes[Name] | undefined;
  const fields = new Map<string, { value: unknown; names: readonly WishName[] }>();
  const put = (path: string, value: unknown, ...names: readonly WishName[]) => {
    if (value !== undefined) fields.set(path, { value, names: names.filter((name) => last.has(name)) });
  };
  for (const [name, path] of PLAIN) put(path, asked(name), name);
  put('processors', asked('processors') ?? processorsOf(asked), ...SIZES);
  put('resources.gpus', gpusOf(asked), 'gpus', 'gpusPerNode', 'gpusPerTask');
  const memory = asked('memoryMebibytes');
  if (memory !== undefined) {
    put('resources.memoryPerNodeMebibytes', Math.ceil(memory / (asked('nodes') ?? 1)), 'memoryMebibytes');
  }
  put('environment', joined(last.get('environment') ?? []), 'environment');
  put('resources.constraints', features(last.get('constraints') ?? []), 'constraints');
  const address = asked('mailAddress');
  const events = asked('mailEvents');
  if (address !== undefined && events !== undefined) put('mail', { address, events }, 'mailAddress', 'mailEvents');
  const by = Array.from(fields, ([path, { names }]) => [path, names.flatMap((name) => last.get(name) ?? [])] as const);
  return { request: nested(fields), by: new Map(by), replaced };
}

/** Wishes that are a field as they are. */
const PLAIN: readonly (readonly [WishName, string])[] = [
  ['name', 'name'],
  ['queue', 'queue'],
  ['walltimeSeconds', 'walltimeSeconds'],
  ...(
    [
      'nodes',
      'tasks',
      'tasksPerNode',
      'processorsPerTask',
      'memoryPerNodeMebibytes',
      'memoryPerProcessorMebibytes',
      'gpuKind',
      'exclusive',
      'licences',
      'tmpPerNodeMebibytes',
    ] as const
  ).map((name) => [name, `resources.${name}`] as const),
  ['account', 'account'],
  ['qos', 'qos'],
  ['siteReservation', 'siteReservation'],
  ['workFolder', 'workFolder'],
];

const SIZES = ['processors', 'nodes', 'tasks', 'tasksPerNode', 'processorsPerTask'] as const;
const ADDING: ReadonlySet<WishName> = new Set(['environment', 'constraints']);

type Asked = <Name extends WishName>(name: Name) => DirectiveWishes[Name] | undefined;

function lastOfEach(directives: readonly Directive[]) {
  const last = new Map<WishName, readonly Directive[]>();
  const replaced = new Set<Directive>();
  for (const directive of directives) {
    if (directive.wish === null) continue;
    const { of: name } = directive.wish;
    if (ADDING.has(name)) {
      last.set(name, [...(last.get(name) ?? []), directive]);
      continue;
    }
    for (const other of ALTERNATIVES.find((names) => names.includes(name)) ?? [name]) {
      const before = last.get(other) ?? [];
      const isRepeated = other === name && (before.length === 0 || isSame(before[0]?.wish, directive.wish));
      if (isRepeated) continue;
      for (const one of before) replaced.add(one);
      last.delete(other);
    }
    last.set(name, [...(last.get(name) ?? []), directive]);
  }
  return { last, replaced };
}

/** Processors of the tasks that are asked for; nothing where none of their numbers is. */
function processorsOf(asked: Asked): number | undefined {
  const tasks = tasksOf(asked);
  const perTask = asked('processorsPerTask');
  return tasks === undefined && perTask === undefined ? undefined : (tasks ?? 1) * (perTask ?? 1);
}

function tasksOf(asked: Asked): number | undefined {
  const nodes = asked('nodes');
  const perNode = asked('tasksPerNode');
  const spread = nodes === undefined && perNode === undefined ? undefined : (nodes ?? 1) * (perNode ?? 1);
  return asked('tasks') ?? spread;
}

function gpusOf(asked: Asked): number | undefined {
  const perNode = asked('gpusPerNode');
  const perTask = asked('gpusPerTask');
  if (perNode !== undefined) return perNode * (asked('nodes') ?? 1);
  return perTask === undefined ? asked('gpus') : perTask * (tasksOf(asked) ?? 1);
}

function joined(directives: readonly Directive[]): Readonly<Record<string, string>> | undefined {
  if (directives.length === 0) return undefined;
  const all = directives.flatMap(({ wish }) => Object.entries((wish?.value ?? {}) as Record<string, string>));
  return Object.fromEntries(all);
}

function features(directives: readonly Directive[]): readonly string[] | undefined {
  const all = directives.flatMap(({ wish }) => (wish?.value ?? []) as readonly string[]);
  return all.length === 0 ? undefined : [...new Set(all)];
}

function nested(fields: ReadonlyMap<string, { readonly value: unknown }>): TypedRequest {
  const request: Record<string, unknown> = {};
  for (const [path, { value }] of fields) {
    const [first = '', second] = path.split('.');
    request[first] = second === undefined ? value : { ...(request[first] as object | undefined), [second]: value };
  }
  return request;
}

/** What a request says at a path; undefined for nothing. */
export function valueAt(request: TypedRequest, path: string): unknown {
  const [first = '', second] = path.split('.');
  const value = request[first as keyof TypedRequest] ?? undefined;
  return second === undefined ? value : (((value ?? {}) as Record<string, unknown>)[second] ?? undefined);
}

/** Whether two values of a field are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** A value as people read it, cut. */
export function shown(value: unknown): string {
  return cut(typeof value === 'string' ? value : JSON.stringify(value));
}
