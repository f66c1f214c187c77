import type { MaintenanceWindow } from '../../src/domain/site.ts';
import type { Attributes, Objects } from './attributes.ts';
import { integerOf, momentOf } from './parse.ts';

/**
 * Reads `pbs_rstat -f` of OpenPBS: a line `Resv ID: name`, or `Name: name`, then `name = value`. No output is no
 * reservation.
 */
export function parseReservations(text: string): Objects {
  const reservations = new Map<string, Map<string, string>>();
  let current: Map<string, string> | null = null;
  for (const line of text.split('\n')) {
    const [, name] = /^(?:Resv ID|Name):\s*(\S+)/.exec(line) ?? [];
    if (name !== undefined) {
      current = new Map();
      reservations.set(name, current);
    }
    const [, attribute, value] = /^\s*([\w.]+) = (.*)$/.exec(line) ?? [];
    if (attribute !== undefined) current?.set(attribute, value ?? '');
  }
  return reservations;
}

/** The times, in UTC, for which reservations that stand set processors aside, the first ones first. */
export function windowsOf(reservations: Objects, processorsOfSite: number): MaintenanceWindow[] {
  const windows = [...reservations].flatMap(([id, reservation]) => windowOf(id, reservation, processorsOfSite));
  return windows.sort((a, b) => a.startAt - b.startAt).slice(0, MOST_WINDOWS);
}

function windowOf(id: string, reservation: Attributes, processorsOfSite: number): MaintenanceWindow[] {
  if (SETS_NOTHING_ASIDE.test(reservation.get('reserve_state') ?? '')) return [];
  const [startAt, endAt] = ['reserve_start', 'reserve_end'].map(
    (name) => momentOf(reservation.get(name)) ?? Number.NaN,
  );
  if (startAt === undefined || endAt === undefined || !(startAt <= endAt)) return [];
  const some = processorsOf(reservation);
  const owner = (reservation.get('Reserve_Owner') ?? '').split('@')[0] || 'somebody';
  const processors = some !== null && some < processorsOfSite ? some : null;
  return [{ startAt, endAt, processors, reason: `reservation ${id} of ${owner}` }];
}

/** Null where it does not tell, which counts as all. */
function processorsOf(reservation: Attributes): number | null {
  const placed = (reservation.get('resv_nodes') ?? '').matchAll(/ncpus=(\d+)/g);
  const onNodes = Array.from(placed, ([, processors]) => Number(processors)).reduce((a, b) => a + b, 0);
  return onNodes > 0 ? onNodes : integerOf(reservation.get('Resource_List.ncpus'));
}

/** States of reservations that have no nodes, or have none any more. Source: OpenPBS src/cmds/pbs_rstat.c. */
const SETS_NOTHING_ASIDE = /^RESV_(NONE|UNCONFIRMED|FINISHED|BEING_DELETED|DELETED|DELETING_JOBS)$/;

/** So many windows are enough for anybody's plan. */
const MOST_WINDOWS = 1000;
