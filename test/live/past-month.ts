/** Jobs of the log. */
export const PAST_JOBS = 500;

/**
 * A log of the last 30 days for `importHistory`, in the Standard Workload Format: jobs of two processors and a minute's
 * work unless told, evenly spread over machines of 16, each with the wait that is given for its number.
 */
export function pastMonth(
  waitSecondsOf: (index: number) => number,
  { runSeconds = 60, walltimeSeconds = 120 }: { runSeconds?: number; walltimeSeconds?: number } = {},
): string {
  const monthSeconds = 30 * 86_400;
  const lines = Array.from({ length: PAST_JOBS }, (_, index) => {
    const submitSeconds = Math.floor((index * (monthSeconds - 10_000)) / PAST_JOBS);
    const user = index % 5;
    const run = `${waitSecondsOf(index)} ${runSeconds} 2 -1 -1 2 ${walltimeSeconds}`;
    return `${1_000_000 + index} ${submitSeconds} ${run} -1 1 ${user} 1 1 1 -1 -1 -1`;
  });
  return `; UnixStartTime: ${Math.floor(Date.now() / 1000) - monthSeconds}\n; MaxProcs: 16\n${lines.join('\n')}\n`;
}
