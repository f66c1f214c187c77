import { formatBytes } from '../../domain/bytes.ts';
import { formatSeconds } from '../../domain/duration.ts';
import type { IoForecastAnswer } from '../client/io-answers.ts';
import { renderTable } from './table.ts';
import { formatMoment } from './time.ts';

/** How many slots of five minutes a line tells of. */
const SLOTS_OF_LINE = 12;

/** What the jobs of a site will read and write in the coming hours, an hour a line. */
export function renderIo({ ageSeconds, burstBytesPerSecond, jobs, slots }: IoForecastAnswer): string {
  const lines = Array.from({ length: Math.ceil(slots.length / SLOTS_OF_LINE) }, (_, hour) => {
    return slots.slice(hour * SLOTS_OF_LINE, (hour + 1) * SLOTS_OF_LINE);
  });
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const table = renderTable(
    ['hour from', 'read per second', 'written per second', 'slots in a burst'],
    lines.map((line) => [
      line[0] ? formatMoment(line[0].startsAt) : null,
      formatBytes(mean(line.map(({ readBytesPerSecond }) => readBytesPerSecond))),
      formatBytes(mean(line.map(({ writtenBytesPerSecond }) => writtenBytesPerSecond))),
      line.filter(({ isBurst }) => isBurst).length,
    ]),
  );
  const seen = `${jobs} jobs as seen ${formatSeconds(ageSeconds)} ago`;
  return `IO by ${seen}; a burst exceeds ${formatBytes(burstBytesPerSecond)} per second\n${table}`;
}
