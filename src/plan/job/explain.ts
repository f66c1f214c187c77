import { formatExactSeconds, formatSeconds } from '../../domain/duration.ts';
import type { Objective } from '../../domain/objective.ts';
import type { Candidate } from '../../domain/plan.ts';
import { describeWindow, momentText, reasonsOf } from '../unusable.ts';
import { type Outcomes, probabilityBefore } from './compare.ts';
import { type Comparable, isByGain, lossAgainst, scoreOf } from './objective.ts';

/** An option's part in a plan, and when it would end in seconds from now; null where that cannot be told. */
export interface JudgedOption {
  readonly candidate: Candidate;
  readonly finish: Outcomes | null;
  /** Whether next to nothing is known of waits in its queue, which nobody named. */
  readonly isUntried: boolean;
}

/** Why an option is chosen, if it is. */
export function praise(objective: Objective, option: Comparable & Pick<Candidate, 'siteName'>): string {
  const score = scoreOf(objective, option);
  const { siteName } = option;
  if (score === null) return `${siteName} is the only choice left, its wait cannot be predicted yet`;
  const { superlative, say } = wordsFor(objective, option);
  const praised = `${siteName} has the ${superlative}, ${say(score)}`;
  if (!isByGain(objective, option)) return praised;
  return `${praised}, with ${option.processors} processors; predicted response ${formatSeconds(option.responseSeconds ?? 0)}`;
}

/** An option that could have been taken beside the one that was: by how much it lost. */
export function outdone(objective: Objective, { candidate, finish }: JudgedOption, winner: JudgedOption): Candidate {
  const before = finish && winner.finish && probabilityBefore(finish, winner.finish);
  const lostBecause = lossAgainst(objective, candidate, winner.candidate);
  const lost = { ...candidate, lostBecause, beforeChosenProbability: before };
  const explanation = compare(objective, candidate, winner.candidate) + likelihood(before);
  if (!candidate.putOff) return { ...lost, explanation };
  const window = describeWindow(candidate.putOff.window, { name: candidate.siteName }, candidate.queue);
  return { ...lost, lostBecause: 'MAINTENANCE', explanation: `${explanation}: ${window}` };
}

function compare(objective: Objective, loser: Candidate, winner: Candidate): string {
  const [own, best] = [scoreOf(objective, loser), scoreOf(objective, winner)];
  if (own === null || best === null) return 'its wait cannot be predicted yet';
  const { noun, say } = wordsFor(objective, loser);
  const there = wayOf(winner, loser);
  if (own === best) {
    const equal = `${noun} as ${there}, ${say(own)}`;
    return objective === 'EARLIEST_FINISH' ? equal : `${equal}; ${compare('EARLIEST_FINISH', loser, winner)}`;
  }
  return say(own) === say(best)
    ? `${noun} ${say(own)}, a little more than ${there}`
    : `${noun} ${say(own)}, against ${say(best)} ${there}`;
}

/** An option in a queue of which next to nothing is known, beside one that could be taken. */
export function untried(candidate: Candidate): Candidate {
  const explanation = `next to no wait is known in queue ${candidate.queue} of ${candidate.siteName}: it is taken only when nothing else can be; name it to have it`;
  return { ...candidate, lostBecause: 'QUEUE_UNTRIED', explanation };
}

/** How probable it is that the loser was not the worse choice after all. */
function likelihood(before: number | null): string {
  return before === null ? '' : `; the chosen one ends first with probability ${Number((1 - before).toFixed(2))}`;
}

/** What the winner has that another option has not: its site, or at the same one what it asks for there. */
function wayOf(winner: Candidate, { siteId, processors: ownProcessors }: Candidate): string {
  const { siteName, queue, processors, walltimeSeconds, submitAt } = winner;
  const size = `${processors} processors for ${formatExactSeconds(walltimeSeconds)}`;
  const isMolded = typeof winner.gainScore === 'number';
  if (siteId !== winner.siteId)
    return `at ${siteName}${processors === ownProcessors || !isMolded ? '' : ` with ${size}`}`;
  return `with ${size}${queue === null ? '' : ` in queue ${queue}`}, submitted at ${momentText(submitAt)}`;
}

/** Why none of them can be taken. */
export function whyNone(candidates: readonly Pick<Candidate, 'siteName' | 'explanation'>[]): string {
  return reasonsOf(candidates.map(({ siteName, explanation }) => `${siteName}: ${explanation}`));
}

interface Words {
  readonly noun: string;
  readonly superlative: string;
  readonly say: (score: number) => string;
}

function wordsFor(objective: Objective, option: Comparable): Words {
  return isByGain(objective, option) ? GAIN_WORDS : WORDS[objective];
}

const GAIN_WORDS: Words = { noun: 'gain', superlative: 'largest gain', say: (score) => (1 - score).toFixed(3) };

const WORDS: Readonly<Record<Objective, Words>> = {
  EARLIEST_FINISH: { noun: 'predicted response', superlative: 'smallest predicted response', say: formatSeconds },
  EARLIEST_START: {
    noun: 'predicted start',
    superlative: 'earliest predicted start',
    say: (seconds) => `${formatSeconds(seconds)} from now`,
  },
  LEAST_CHARGE: {
    noun: 'charge',
    superlative: 'smallest charge',
    say: (processorSeconds) => `${Math.round(processorSeconds)} processor-seconds`,
  },
};
