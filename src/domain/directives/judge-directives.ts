import { quoted } from '../text.ts';
import type { Directive, WishName } from './directive.ts';
import { readDirectives } from './read-directives.ts';
import { type AskedFor, isSame, requestOf, shown, type TypedRequest, valueAt } from './request.ts';

/** What becomes of directives: asked for as typed requests, or named in warnings alone. */
export const DIRECTIVE_USES = ['HONOUR', 'WARN'] as const;
export type DirectiveUse = (typeof DIRECTIVE_USES)[number];

/** A directive beside what its job asks for in the end. */
export interface JudgedDirective extends Directive {
  /** Path of the typed field that says the same; null where there is none. */
  readonly request: string | null;
  /** What that field is to say for it. */
  readonly value: string | null;
  /** Whether the job asks for it. */
  readonly isHonoured: boolean;
}

/** A typed field that says otherwise than a directive. */
export interface Contradiction {
  /** Path of the field. */
  readonly field: string;
  readonly message: string;
}

/**
 * A script's directives beside what the job asks for: one that asks for the same is honoured, whoever saw to that. Any
 * other has a warning with the remedy.
 */
export function judgeDirectives(script: string, stated: TypedRequest): readonly JudgedDirective[] {
  const directives = readDirectives(script);
  const asked = requestOf(directives);
  return directives.map((directive) => judge(directive, asked, stated));
}

function judge(directive: Directive, { request, by, replaced }: AskedFor, stated: TypedRequest): JudgedDirective {
  if (replaced.has(directive)) {
    return { ...directive, request: null, value: null, isHonoured: false, warning: 'a later directive replaces it' };
  }
  const path = pathOf(directive, by);
  if (path === null) {
    const isNothing = directive.wish === null && directive.warning === null;
    const alone =
      directive.wish === null ? directive.warning : 'it asks for nothing without both an address and a time to write';
    return { ...directive, request: null, value: null, isHonoured: isNothing, warning: alone };
  }
  const wanted = valueAt(request, path);
  const isHonoured = isSame(wanted, valueAt(stated, path) ?? USUAL[path]);
  const warning = isHonoured ? null : `not honoured: state ${path}: ${shown(wanted)}, or ask for directives: HONOUR`;
  return { ...directive, request: path, value: shown(wanted), isHonoured, warning };
}

/** What a job gets that says nothing of a field. */
const USUAL: Readonly<Record<string, number>> = { 'resources.tasks': 1 };

/** The field that a directive says first of all. */
function pathOf(directive: Directive, by: AskedFor['by']): string | null {
  const paths = Array.from(by).flatMap(([path, directives]) => (directives.includes(directive) ? [path] : []));
  const own: WishName | undefined = directive.wish?.of;
  return paths.find((path) => path.endsWith(`.${own}`) || path === own) ?? paths[0] ?? null;
}

/** What a job asks for that honours its script's directives, and where they say otherwise than it states itself. */
export interface Honoured {
  readonly request: TypedRequest;
  readonly contradictions: readonly Contradiction[];
}

/** Takes what is stated and, where nothing is, what the script's directives ask for. */
export function honourDirectives(script: string, stated: TypedRequest): Honoured {
  const directives = readDirectives(script);
  const asked = requestOf(directives);
  const contradictions = [...betweenSystems(directives), ...contradictionsOf(asked, stated)];
  const { resources, ...others } = asked.request;
  const ofResources = { ...resources, ...stateds(stated.resources) };
  const request = {
    ...others,
    ...stateds(stated),
    ...(Object.keys(ofResources).length > 0 && { resources: ofResources }),
  };
  return { request, contradictions };
}

/** The fields that say something. */
function stateds<Fields extends object>(fields: Fields | undefined): Partial<Fields> {
  const said = Object.entries(fields ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(said) as Partial<Fields>;
}

function contradictionsOf({ request, by }: AskedFor, stated: TypedRequest): Contradiction[] {
  return Array.from(by).flatMap(([field, directives]) => {
    const [wanted, said] = [valueAt(request, field), valueAt(stated, field)];
    if (said === undefined || isSame(wanted, said)) return [];
    const lines = directives.map(({ line, text }) => `line ${line} (${text})`).join(' and ');
    const message = `${field} is ${shown(said)}, and of the script ${lines} asks for ${shown(wanted)}; leave one of them out`;
    return [{ field, message }];
  });
}

/** Where lines for two systems ask for different things. */
function betweenSystems(directives: readonly Directive[]): Contradiction[] {
  const systems = [...new Set(directives.map(({ system }) => system))];
  const asked = systems.map((system) => requestOf(directives.filter((directive) => directive.system === system)));
  return asked.flatMap((one, index) =>
    asked.slice(index + 1).flatMap((other) =>
      Array.from(one.by.keys()).flatMap((field) => {
        const [a, b] = [valueAt(one.request, field), valueAt(other.request, field)];
        if (b === undefined || isSame(a, b)) return [];
        const [first, second] = [one, other].map(({ by }) => by.get(field)?.at(-1));
        const message = `of the script line ${first?.line} (${first?.text}) asks for ${field} ${quoted(shown(a))}, line ${second?.line} (${second?.text}) for ${quoted(shown(b))}; leave one of them out`;
        return [{ field: 'script', message }];
      }),
    ),
  );
}
