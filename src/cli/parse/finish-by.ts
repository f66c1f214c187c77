import type { GraphqlClient } from '../client/graphql-client.ts';
import { CliFailure, EXIT } from '../failure.ts';
import { toServerMoment } from '../session.ts';
import type { Moment } from './moment.ts';
import { parseWord } from './work.ts';

/** Options that say by when a job is to end. */
export interface DeadlineOptions {
  /** Nothing is promised of it. */
  readonly deadline?: Moment;
  /** Promised, with the probability. */
  readonly finishBy?: Moment;
  readonly probability?: number;
  readonly ifMissed?: string;
}

/**
 * The part of an input that says by when a job is to end.
 * @throws CliFailure for options that do not go together
 */
export async function deadlineInput(client: GraphqlClient, options: DeadlineOptions) {
  const { deadline, finishBy, probability, ifMissed } = options;
  const deadlineAt = await toServerMoment(client, deadline);
  if (!finishBy) {
    if (probability !== undefined) throw goesWith('--probability');
    if (ifMissed !== undefined) throw goesWith('--if-missed');
    return { deadlineAt };
  }
  if (deadline) throw new CliFailure('--finish-by does not go with --deadline', EXIT.usage, 'leave one of them out');
  if (probability === undefined) {
    throw new CliFailure('--finish-by needs --probability', EXIT.usage, 'say how surely: --probability 0.9');
  }
  const at = await toServerMoment(client, finishBy);
  const policy = ifMissed && { ifMissed: parseWord('if-missed', ifMissed, ['RUN_LATE', 'CANCEL']) };
  return { finishBy: { at, probability, ...policy } };
}

function goesWith(option: string): CliFailure {
  return new CliFailure(`${option} goes with --finish-by`, EXIT.usage, 'give that too, or leave it out');
}
