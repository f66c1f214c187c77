import type { JobRequest } from '../../../domain/job.ts';
import { keepClass } from '../../../domain/kept-classes.ts';

/**
 * The features of Table 1 of wyatt-prionn: requested hours, nodes, tasks, user, group, account, job name, working
 * folder and submission folder, each text as a whole number in the order in which it was first seen. What is not told
 * is -1; so are requested hours. Nodes are not told apart from tasks, nor the folders from each other.
 */
export class NineFeatures {
  private readonly labels = Array.from({ length: TEXTS }, () => new Map<string, number>());

  /** Of a job; a text never learned gets the next number, and stays unknown. */
  of(job: JobRequest): Float64Array {
    const texts = textsOf(job).map((text, i) => this.labelOf(text, this.labels[i] as ReadonlyMap<string, number>));
    const hours = job.requestedWalltimeSeconds === null ? -1 : job.requestedWalltimeSeconds / 3600;
    return Float64Array.of(hours, job.processors, job.processors, ...texts, texts.at(-1) as number);
  }

  /** The same, and the texts are known from now on. */
  learn(job: JobRequest): Float64Array {
    for (const [i, text] of textsOf(job).entries()) {
      const labels = this.labels[i] as Map<string, number>;
      if (text !== null && !labels.has(text) && labels.size < MOST_LABELS) labels.set(text, labels.size);
    }
    return this.of(job);
  }

  private labelOf(text: string | null, labels: ReadonlyMap<string, number>): number {
    return text === null ? -1 : (labels.get(text) ?? labels.size);
  }
}

function textsOf({ user, group, account, program }: JobRequest): readonly (string | null)[] {
  return [user, group ?? null, account ?? null, program?.name ?? null, program?.workFolder ?? null];
}

const TEXTS = 5;
const MOST_LABELS = 200_000;

keepClass(NineFeatures);
