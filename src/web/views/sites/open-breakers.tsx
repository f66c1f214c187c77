import { useServiceNow } from '../../api/clock.ts';
import { formatSeconds } from '../../ui/format.ts';
import { Since } from '../../ui/moment.tsx';

/** A service of a site that is left alone because its last calls failed. */
interface OpenBreaker {
  readonly service: string;
  readonly openedAt: string;
  readonly fault: string;
}

/** Their names, for a cell of a file; null where everything is asked. */
export function breakerText(breakers: readonly OpenBreaker[]): string | null {
  return breakers.map(({ service }) => service).join(' ') || null;
}

/** What of a site is left alone, and for how long, in a cell. */
export function BreakerCell({ breakers }: { readonly breakers: readonly OpenBreaker[] }) {
  const now = useServiceNow();
  if (breakers.length === 0) return <span className="none">closed</span>;
  return breakers.map(({ service, openedAt, fault }) => (
    <span key={service} className="tag tag-bad" title={fault}>
      {service} left alone {formatSeconds(Math.max(0, (now - Date.parse(openedAt)) / 1000))}
    </span>
  ));
}

/** The same in sentences. */
export function BreakerNotes({ breakers }: { readonly breakers: readonly OpenBreaker[] }) {
  return breakers.map(({ service, openedAt, fault }) => (
    <p key={service} className="warning">
      Its {service} is left alone but for a try now and then; that began <Since at={openedAt} isPast />. {fault}.
    </p>
  ));
}
