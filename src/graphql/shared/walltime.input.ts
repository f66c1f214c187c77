import { Field, Float, InputType, Int } from 'type-graphql';
import { CallerError } from '../../domain/failures.ts';
import type { AutoWalltime } from '../../domain/plan.ts';
import { LARGEST_RISK, LEAST_RISK } from '../../plan/job/walltime.ts';
import { type Scripted, unreadOf } from './directives.input.ts';
import { WalltimeChoiceEnum } from './enums.ts';

/** Who chooses a walltime, and by what. */
@InputType()
export abstract class WalltimeFields {
  @Field(() => Int, {
    nullable: true,
    description:
      'Walltime it needs; it is killed after that. With walltime AUTO it may be absent: forecasts know it then, and never more is asked for.',
  })
  walltimeSeconds?: number | null;

  @Field(() => WalltimeChoiceEnum, { defaultValue: 'STATED', description: 'Who chooses the walltime.' })
  walltime!: 'STATED' | 'AUTO';

  @Field(() => Float, {
    nullable: true,
    description: `With walltime AUTO, the probability of being killed by it that is accepted, from ${LEAST_RISK} to ${LARGEST_RISK}.`,
  })
  walltimeRisk?: number | null;
}

/**
 * The walltime in the words of the commands; of an automatic one `walltimeSeconds` is the most that it may be.
 * @param path where it sits in the caller's input
 * @throws CallerError INVALID when what is given does not go together
 */
export function toWalltime(
  { walltime, walltimeSeconds = null, walltimeRisk = null, ...scripted }: WalltimeFields & Scripted,
  path: string,
): { walltimeSeconds: number; auto?: AutoWalltime } {
  if (walltime === 'STATED') {
    if (walltimeRisk !== null) {
      throw new CallerError(
        'INVALID',
        `${path}.walltimeRisk`,
        `walltimeRisk ${walltimeRisk} goes with walltime AUTO; leave it out, or choose that`,
      );
    }
    return { walltimeSeconds: stated(walltimeSeconds, scripted, path) };
  }
  if (walltimeRisk === null) {
    const message = `walltime AUTO needs walltimeRisk, the probability of being killed that is accepted; give one from ${LEAST_RISK} to ${LARGEST_RISK}, 0.05 for instance`;
    throw new CallerError('INVALID', `${path}.walltimeRisk`, message);
  }
  const auto = { risk: walltimeRisk, atMostSeconds: walltimeSeconds };
  return { walltimeSeconds: walltimeSeconds ?? UNTIL_CHOSEN_SECONDS, auto };
}

/**
 * The walltime of work that is promised, which its caller has to state.
 * @param path where it sits in the caller's input
 * @throws CallerError INVALID when it is left to us
 */
export function toStatedWalltime(fields: WalltimeFields & Scripted, path: string): number {
  if (fields.walltime === 'STATED') return toWalltime(fields, path).walltimeSeconds;
  const message =
    'walltime AUTO is for jobs that are not promised: what is promised is the whole work at a given moment; state walltimeSeconds, walltimeAdvice tells which would do';
  throw new CallerError('INVALID', `${path}.walltime`, message);
}

function stated(walltimeSeconds: number | null, scripted: Scripted, path: string): number {
  if (walltimeSeconds !== null) return walltimeSeconds;
  const message = `walltimeSeconds is missing; give it, or walltime AUTO with walltimeRisk${unreadOf(scripted)}`;
  throw new CallerError('INVALID', `${path}.walltimeSeconds`, message);
}

/** Written down until a site is chosen where nobody knows better. */
const UNTIL_CHOSEN_SECONDS = 60;
