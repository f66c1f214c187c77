/**
 * What processor-seconds were spent on: `NEEDED` by the caller's own work, `PADDING` held before `startAt`, `LOST` to
 * legs that were cancelled because another one won, and to runs that their site took back to start the job once more.
 */
export const CHARGE_KINDS = ['NEEDED', 'PADDING', 'LOST'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];
