import type { ExperimentRow } from '../experiment.ts';

/** Figures 12 to 15 of wyatt-prionn, as far as its text gives them. */
export function ioPaperRows(): ExperimentRow[] {
  return [
    {
      name: 'paper/perfect',
      meanAccuracy: 0.636,
      medianAccuracy: 0.553,
      sensitivity5: 0.475,
      precision5: 0.739,
    },
    { name: 'paper/predicted', sensitivity5: 0.553, precision5: 0.7 },
  ];
}

/** What to know before ours are compared with them. */
export function ioNotes(): string[] {
  return [
    'The scripts, and what the jobs read and write, are generated (src/sim/scripts): no log tells them. Sizes, times, users and walltimes are those of the log.',
    'The paper has five samples of 10,000 jobs of the Cab cluster, 2016, which is not public; perfect is with true turnarounds on all of its jobs, predicted with forecast ones on the samples. Here a log runs under EASY.',
    'A burst is a minute above the mean and a deviation of the whole series, as the paper has it. Foreseen is one that exceeds that level (threshold=whole) or the same of the minutes that were over at that time (threshold=so-far).',
    'With NAME*COURSES each course of things has runtimes of its own, and written bytes that go with them; a burst is foreseen where so many of the courses (certainty, half of them unless told) have one, and a bandwidth is the median of theirs.',
    'A job is foreseen at its submission and never again, as in the paper. io=true knows what each job reads and writes, runtime true how long each runs.',
  ];
}
