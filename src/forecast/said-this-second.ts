import type { EpochSeconds } from '../domain/clock.ts';
import type { Submission } from '../domain/job.ts';

/** Anything that was said of a submission. */
interface Said {
  readonly madeAt: EpochSeconds;
}

/**
 * What was said of jobs submitted in the present second, to be said again to whoever asks the same in it: many ask for
 * jobs of the same size, and waits are told in whole seconds. It is good for one site as one moment saw it; whoever
 * learns anything of the site begins another one.
 */
export class SaidThisSecond {
  private second = Number.NaN;
  private readonly said = new Map<string, readonly Said[]>();

  /**
   * What `say` says of a job that is submitted at `now`, of the whole second that `now` is in.
   * @param who says it, and of what
   * @param say asked of a job that is submitted when the second is over
   */
  of<One extends Said, Job extends Submission>(
    who: string,
    job: Job,
    now: EpochSeconds,
    say: (job: Job, now: EpochSeconds) => readonly One[],
  ): One[] {
    if (job.submitAt !== now || (job.program?.script?.length ?? 0) > LONGEST_SCRIPT) return [...say(job, now)];
    const second = Math.ceil(now);
    if (second !== this.second || this.said.size >= MOST_KEPT) this.said.clear();
    this.second = second;
    const asked = { ...job, submitAt: second };
    const key = `${who} ${JSON.stringify(asked)}`;
    const known = this.said.get(key) ?? say(asked, second);
    this.said.set(key, known);
    return known.map((one) => ({ ...(one as One), madeAt: now }));
  }
}

/** Characters; to compare longer ones costs what it spares. */
const LONGEST_SCRIPT = 16_384;
/** Each takes about a kilobyte, beside its script. */
const MOST_KEPT = 100;
