import { keepClass } from '../../domain/kept-classes.ts';

/**
 * What a model of trees said of jobs, to be said again of every job that lies in the same leaves of all its trees:
 * trees tell it from the others by nothing, and of the jobs that are asked about at one moment many are so. Nothing
 * else of a job may matter for what is kept here but what is told beside its leaves. It saves time and decides nothing,
 * as long as it is told to forget when the model learns; it is not part of a checkpoint.
 */
export class AnswersByLeaves<Answer> {
  private answers = new Map<string, Answer>();

  /**
   * What is known to be said of such a job, or what `say` says.
   * @param leaves of each tree the leaf that it lies in, as numbers below 65,536
   * @param beside what else matters
   */
  of(leaves: Int32Array, beside: string, say: () => Answer): Answer {
    const name = beside + String.fromCharCode.apply(null, leaves as unknown as number[]);
    const known = this.answers.get(name);
    if (known !== undefined) return known;
    if (this.answers.size >= MOST_KEPT) this.answers.clear();
    const answer = say();
    this.answers.set(name, answer);
    return answer;
  }

  /** The model says something else from now on. */
  forget(): void {
    if (this.answers.size > 0) this.answers = new Map();
  }
}

/** Each takes about a kilobyte and a half. */
const MOST_KEPT = 250;

keepClass(AnswersByLeaves, {
  save: () => ({}),
  load(one) {
    Object.assign(one, new AnswersByLeaves());
  },
});
