import { useServiceNow } from '../api/clock.ts';
import { formatExactMoment, formatMoment, formatSeconds } from './format.ts';

/** A moment in the viewer's zone; to the second, with the zone, for whoever points at it. */
export function Moment({ at }: { readonly at: string | number | null | undefined }) {
  if (at === null || at === undefined) return <span className="none">none</span>;
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactMoment(at)}>
      {formatMoment(at)}
    </time>
  );
}

/** How long ago, or until, a moment is by the service's clock. It counts by itself. */
export function Since({ at, isPast = false }: { readonly at: string | number; readonly isPast?: boolean }) {
  const passed = (useServiceNow() - new Date(at).getTime()) / 1000;
  const seconds = isPast ? Math.max(0, passed) : passed;
  const text =
    Math.abs(seconds) < 1 ? 'now' : seconds > 0 ? `${formatSeconds(seconds)} ago` : `in ${formatSeconds(-seconds)}`;
  return (
    <time dateTime={new Date(at).toISOString()} title={formatExactMoment(at)}>
      {text}
    </time>
  );
}

/** Of when the facts are that a figure rests on. */
export function Age({ at, of = 'as of' }: { readonly at: string | number | null; readonly of?: string }) {
  if (at === null) return null;
  return (
    <span className="age">
      {of} <Since at={at} isPast />
    </span>
  );
}
