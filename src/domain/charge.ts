/**
 * What processor-seconds were spent on: `NEEDED` by the caller's own work, `PADDING` held before `startAt`, `LOST` to legs
 * that were cancelled because another one won.
 */
export const CHARGE_KINDS = ['NEEDED', 'PADDING', 'LOST'] as const;
export type ChargeKind = (typeof CHARGE_KINDS)[number];
