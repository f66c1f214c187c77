import { useSyncExternalStore } from 'react';
import { Store, useStore } from './store.ts';

/** By how many seconds this machine's clock is ahead of the server's; null before it was heard. */
export const skewSeconds = new Store<number | null>(null);

/** How many times as fast as the wall's clock the service's runs; 0 for one that stands, null before it was heard. */
export const clockPace = new Store<number | null>(null);

const SECOND_MILLISECONDS = 1000;

/** What the service's clock showed at a moment of this page's own. */
let heard: { readonly atMilliseconds: number; readonly serviceMilliseconds: number } | null = null;

/** Takes in what an answer's headers say of time. */
export function hearClock(headers: Headers): void {
  const date = Date.parse(headers.get('date') ?? '');
  // The header has whole seconds, cut off.
  if (!Number.isNaN(date)) skewSeconds.set(Math.round((Date.now() - date) / 1000 - 0.5));
  const serviceMilliseconds = Date.parse(headers.get('gridcast-time') ?? '');
  if (Number.isNaN(serviceMilliseconds)) return;
  const isFirst = heard === null;
  heard = { atMilliseconds: performance.now(), serviceMilliseconds };
  clockPace.set(Number(headers.get('gridcast-pace') ?? 1));
  if (isFirst) tick();
}

/** The service's clock now, in milliseconds since the epoch; this machine's before anything was heard. */
export function serviceNow(): number {
  if (heard === null) return Date.now();
  return heard.serviceMilliseconds + (performance.now() - heard.atMilliseconds) * (clockPace.get() ?? 1);
}

/** The moment that is shown, for all who show one: a table of ages has one clock, not one in each row. */
let shown = { now: serviceNow(), atMilliseconds: performance.now() };
const watchers = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  shown = { now: serviceNow(), atMilliseconds: performance.now() };
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  if (watchers.size === 0) ticking = setInterval(tick, SECOND_MILLISECONDS);
  watchers.add(watcher);
  return () => {
    watchers.delete(watcher);
    if (watchers.size === 0) clearInterval(ticking);
  };
}

function shownNow(): number {
  // Nobody watched for a while.
  if (performance.now() - shown.atMilliseconds > 2 * SECOND_MILLISECONDS) {
    shown = { now: serviceNow(), atMilliseconds: performance.now() };
  }
  return shown.now;
}

/** The same in a component, which is shown anew every second. */
export function useServiceNow(): number {
  return useSyncExternalStore(watch, shownNow);
}

/** Whether an answer has told the service's clock yet; before that a moment to come would be one of this machine's. */
export function useClockHeard(): boolean {
  return useStore(clockPace) !== null;
}
