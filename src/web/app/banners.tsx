import { awaySince } from '../api/client.ts';
import { clockPace, skewSeconds } from '../api/clock.ts';
import { useStore } from '../api/store.ts';
import { formatMoment, formatSeconds } from '../ui/format.ts';

const NOTABLE_SKEW_SECONDS = 30;

/** What is amiss with the way to the service, or with clocks, whatever is shown below. */
export function Banners() {
  const away = useStore(awaySince);
  const skew = useStore(skewSeconds);
  const isSkewed = skew !== null && Math.abs(skew) >= NOTABLE_SKEW_SECONDS;
  return (
    <div className="banners" aria-live="assertive">
      {away !== null && (
        <p className="banner bad" data-banner="away">
          The service has not answered since {formatMoment(away)}. What is shown is as old as it says; it is asked again
          by itself.
        </p>
      )}
      {isSkewed && (
        <p className="banner warn" data-banner="skew">
          This machine's clock is {formatSeconds(Math.abs(skew))} {skew > 0 ? 'ahead of' : 'behind'} the service's. Ages
          here go by the service's clock; set this machine's.
        </p>
      )}
    </div>
  );
}

/** How fast the service's clock runs, where that is not as the wall's. */
export function Pace() {
  const pace = useStore(clockPace);
  if (pace === null || pace < 0.05 || Math.abs(pace - 1) < 0.05) return null;
  return <span>({Math.round(pace * 10) / 10} times as fast as yours)</span>;
}
