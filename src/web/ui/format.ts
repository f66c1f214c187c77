const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const minutes = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const seconds = new Intl.DateTimeFormat('en-GB', {
  year: 'numeric',
  month: 'short',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const zoned = new Intl.DateTimeFormat('en-GB', {
  day: '2-digit',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'shortOffset',
});
const whole = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });

/** A moment to the minute in the viewer's zone: 23 Nov, 14:05. */
export function formatMoment(at: string | number): string {
  return minutes.format(new Date(at));
}

/** The same with its distance from UTC, which tells an hour that comes twice: 25 Oct, 02:30 GMT+1. */
export function formatZoned(at: string | number): string {
  return zoned.format(new Date(at));
}

/** The same to the second, with the zone named. */
export function formatExactMoment(at: string | number): string {
  return `${seconds.format(new Date(at))} ${zone}`;
}

/** A length of time in its two largest units: 42 s, 5 min 10 s, 2 h 05 min, 3 d 4 h. */
export function formatSeconds(value: number): string {
  const all = Math.round(Math.abs(value));
  const sign = value < 0 && all > 0 ? '−' : '';
  const [days, hours, mins, secs] = [all / 86_400, (all / 3600) % 24, (all / 60) % 60, all % 60].map(Math.floor);
  if (days) return `${sign}${days} d ${hours} h`;
  if (hours) return `${sign}${hours} h ${String(mins).padStart(2, '0')} min`;
  if (mins) return `${sign}${mins} min${secs ? ` ${String(secs).padStart(2, '0')} s` : ''}`;
  return `${sign}${secs} s`;
}

/** A whole number with its thousands set off. */
export function formatCount(value: number): string {
  return whole.format(value);
}

/** A share as percent: 0.954 is 95.4 %. */
export function formatShare(value: number, digits = 0): string {
  return `${(value * 100).toFixed(digits)} %`;
}

/** Processor-seconds as processor-hours. */
export function formatProcessorHours(processorSeconds: number): string {
  const hours = processorSeconds / 3600;
  return `${hours >= 100 ? whole.format(hours) : hours.toFixed(hours >= 10 ? 1 : 2)} proc h`;
}

/** A name of an enumeration as people read it: NODE_FAIL is node fail. */
export function formatWord(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ');
}
