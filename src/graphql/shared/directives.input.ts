import { InputFaults } from '../../commands/input/faults.ts';
import { USUAL_NAME } from '../../commands/input/work-input.ts';
import { type DirectiveUse, honourDirectives } from '../../domain/directives/judge-directives.ts';
import { readDirectives } from '../../domain/directives/read-directives.ts';
import type { TypedRequest } from '../../domain/directives/request.ts';
import { CallerError } from '../../domain/failures.ts';
import { reasonsOf } from '../../plan/unusable.ts';
import { type ResourcesInput, toResources } from './resources.input.ts';
import type { SiteRequestFields, VariableInput } from './site-requests.input.ts';

export type { DirectiveUse };

/** What inputs say of the directive lines of their script. */
export const DIRECTIVES =
  'What becomes of the lines of its script that begin as those for a batch system do: #SBATCH, #PBS, #$, #OAR.';

/** What is stated of a job beside its script. */
export interface DirectedFields extends Omit<Partial<SiteRequestFields>, 'sites' | 'walltime' | 'walltimeRisk'> {
  readonly script?: string | null | undefined;
  readonly directives: DirectiveUse;
  readonly name?: string | null | undefined;
  readonly queue?: string | null | undefined;
  readonly processors?: number | null | undefined;
  readonly resources?: ResourcesInput | null | undefined;
}

/** The fields of an input as a request. A name that nobody gave is none. */
export function toTypedRequest(input: DirectedFields): TypedRequest {
  const { name, queue, processors, walltimeSeconds, resources, environment } = input;
  const { account, qos, siteReservation, workFolder, mail } = input;
  return {
    name: name === USUAL_NAME ? undefined : (name ?? undefined),
    queue: queue ?? undefined,
    processors: processors ?? undefined,
    walltimeSeconds: walltimeSeconds ?? undefined,
    ...toResources(resources),
    account: account ?? undefined,
    qos: qos ?? undefined,
    siteReservation: siteReservation ?? undefined,
    environment: environment?.length ? Object.fromEntries(environment.map((one) => [one.name, one.value])) : undefined,
    workFolder: workFolder ?? undefined,
    mail: mail ? { address: mail.address, events: mail.events } : undefined,
  };
}

/**
 * An input with what its script's directives ask for, where it has them honoured.
 * @param path where it sits in the caller's input
 * @throws CallerError with each that contradicts a field, or another one
 */
export function withDirectives<Fields extends DirectedFields>(input: Fields, path: string): Fields {
  if (input.directives === 'WARN' || !input.script) return input;
  const { request, contradictions } = honourDirectives(input.script, toTypedRequest(input));
  const faults = contradictions.map(({ field, message }) => new CallerError('INVALID', `${path}.${field}`, message));
  const [first] = faults;
  if (first) throw new InputFaults(first, faults);
  const { name = input.name, environment, ...fields } = request;
  return { ...input, ...fields, name, environment: environment ? toVariables(environment) : input.environment };
}

function toVariables(environment: Readonly<Record<string, string>>): VariableInput[] {
  return Object.entries(environment).map(([name, value]) => ({ name, value }));
}

/** Processors that are stated. @throws CallerError INVALID where none are */
export function statedProcessors(input: Pick<DirectedFields, 'processors'> & Scripted, path: string): number {
  const { processors } = input;
  if (processors !== undefined && processors !== null) return processors;
  const message = 'processors is missing; give it, or directives HONOUR and a script whose directives tell it';
  throw new CallerError('INVALID', `${path}.processors`, message + unreadOf(input));
}

/** A script whose directives may be honoured. */
export type Scripted = Partial<Pick<DirectedFields, 'script' | 'directives'>>;

/** Which lines of a script whose directives are to be honoured cannot be read, as the end of a sentence; else empty. */
export function unreadOf({ script, directives }: Scripted): string {
  const all = script && directives === 'HONOUR' ? readDirectives(script) : [];
  const unread = all.flatMap(({ line, text, warning }) =>
    warning === null ? [] : [`line ${line} (${text}): ${warning}`],
  );
  return unread.length === 0 ? '' : `; in the script, ${reasonsOf(unread)}`;
}
