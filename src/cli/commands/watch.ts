import { followThing } from '../client/follow.ts';
import { findKind, type Thing } from '../client/lookup.ts';
import { formatMoment } from '../render/time.ts';
import type { Session } from '../session.ts';
import { renderThing } from './status.ts';

/** `gridcast watch ID`: a line per change until the end; with `--json` all the changes in one document then. */
export async function runWatch({ client, output }: Session, _options: unknown, id = ''): Promise<void> {
  const changes: Thing[] = [];
  for await (const thing of followThing(client, await findKind(client, id), id)) {
    changes.push(thing);
    if (!output.json) process.stdout.write(`${describeChange(thing)}\n`);
  }
  const last = changes.at(-1);
  output.result(
    changes.map(({ value }) => value),
    () => (last ? `\n${renderThing(last)}` : ''),
  );
}

/** Where a thing stands, in a line. */
export function describeChange(thing: Thing): string {
  const { value } = thing;
  const state = value.state.toLowerCase();
  if (thing.kind === 'Job') {
    const { site, outcome, startedAt, endedAt, submittedAt } = thing.value;
    const at = endedAt ?? startedAt ?? submittedAt;
    return [state, outcome?.toLowerCase(), site?.name, at && formatMoment(at)].filter(Boolean).join('  ');
  }
  if (thing.kind === 'Reservation')
    return `${state}  job ${thing.value.job.state.toLowerCase()}  ${thing.value.site?.name ?? ''}`;
  return `${state}  ${thing.value.legs.map((leg) => `${leg.site?.name ?? '?'}: ${leg.state.toLowerCase()}`).join(', ')}`;
}
