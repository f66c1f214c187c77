import type { EpochSeconds } from '../../src/domain/clock.ts';
import type { MaintenanceWindow } from '../../src/domain/site.ts';
import { elementOf, listOf, momentOf, readXml, textOf } from './xml.ts';

/** An advance reservation as `qrstat` shows it. */
export interface AdvanceReservation {
  readonly id: string;
  readonly name: string;
  readonly owner: string;
  readonly startAt: EpochSeconds;
  readonly endAt: EpochSeconds;
  /** Slots of all queues together; 0 where the listing does not tell. */
  readonly slots: number;
}

/**
 * Reads `qrstat -xml`, whose times must be in UTC. Reservations that are unknown, or have no time, are left out.
 * @throws Error when it is no such document
 */
export function parseReservations(xml: string): AdvanceReservation[] {
  const document = elementOf(readXml(xml, 'qrstat'), 'qrstat');
  return listOf(document, 'ar_summary').flatMap((reservation) => {
    const startAt = momentOf(textOf(reservation, 'start_time'));
    const endAt = momentOf(textOf(reservation, 'end_time'));
    if (startAt === null || endAt === null || endAt < startAt) return [];
    const granted = listOf(reservation.granted_slots_list, 'granted_slots');
    const slots = granted.reduce((total, instance) => total + Number(textOf(instance, '@slots')), 0);
    const [id, name, owner] = [textOf(reservation, 'id'), textOf(reservation, 'name'), textOf(reservation, 'owner')];
    return [{ id, name, owner, startAt, endAt, slots }];
  });
}

/** The time for which it sets slots aside; those of the whole cell count as all. */
export function asWindow(reservation: AdvanceReservation, slotsOfCell: number): MaintenanceWindow {
  const { id, name, owner, startAt, endAt, slots } = reservation;
  const reason = `reservation ${name || id} of ${owner}`;
  return { startAt, endAt, processors: slots < slotsOfCell ? slots : null, reason };
}
