import { LOAD_PREDICTORS } from './load/load-predictors.ts';
import { RUNTIME_PREDICTORS } from './runtime-registry.ts';
import { NOBODY, SiteOutlook } from './wait/gridcast/site-outlook.ts';

/** Who may forecast for `wait/gridcast` what is not a wait. */
export const OUTLOOK_CHOICES = {
  runtimes: [NOBODY, ...RUNTIME_PREDICTORS.keys()],
  load: [NOBODY, ...LOAD_PREDICTORS.keys()],
};

/** What new predictors of those names forecast. */
export function outlookOf({ runtimes, load }: { readonly runtimes: string; readonly load: string }): SiteOutlook {
  return new SiteOutlook({
    runtimes: RUNTIME_PREDICTORS.get(runtimes)?.() ?? null,
    load: LOAD_PREDICTORS.get(load)?.() ?? null,
  });
}
