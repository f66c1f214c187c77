import { stopAbandonedLabs } from './lab.ts';

/** Stops the labs that earlier tests left behind, before the tests begin and after they have ended. */
export default async function setup(): Promise<() => Promise<void>> {
  await stopAbandonedLabs();
  return stopAbandonedLabs;
}
