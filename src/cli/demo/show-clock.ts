import { formatSeconds } from '../../domain/duration.ts';
import { formatMoment } from '../render/time.ts';
import { readServerTime } from '../session.ts';
import type { Narrator } from './narrator.ts';
import type { Stage } from './stage.ts';

const INTERVAL_MILLISECONDS = 1000;

/**
 * Shows the sites' clock while something is waited for, and how long it still is until the promised time.
 * @param startAt null when nothing was promised
 * @returns a function that ends it
 */
export function showClock({ client }: Stage, narrator: Narrator, startAt: string | null): () => void {
  if (!narrator.isLive) return () => undefined;
  const show = async () => {
    const now = await readServerTime(client);
    const left = startAt === null ? 0 : Date.parse(startAt) / 1000 - now;
    const until = left > 0 ? `, ${formatSeconds(left)} until the last promise` : '';
    narrator.waiting(`the sites' clock shows ${formatMoment(new Date(now * 1000).toISOString())}${until}`);
  };
  // A look that fails is made up for by the next one.
  const timer = setInterval(() => show().catch(() => undefined), INTERVAL_MILLISECONDS);
  return () => {
    clearInterval(timer);
    narrator.waiting('');
  };
}
