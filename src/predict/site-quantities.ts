import { LOAD } from './load/load.ts';
import type { SiteQuantity } from './site-quantity.ts';

/** Everything that is forecast of a site. A new one is a line here. */
export const SITE_QUANTITIES: readonly SiteQuantity[] = [LOAD];
