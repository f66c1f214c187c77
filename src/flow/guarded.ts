import type { SiteAdapter } from '../domain/site-adapter.ts';
import type { FlowContext } from './context.ts';
import type { Pulse } from './pulse.ts';
import { withDeadlines } from './site-calls.ts';

/** The context as the steps get it: no call of a site lasts for ever, and every step that ends is a sign of life. */
export function guarded(context: FlowContext, pulse: Pulse): FlowContext {
  const { meters, settings } = context;
  const guards = new WeakMap<SiteAdapter, SiteAdapter>();
  return {
    ...context,
    adapterOf(site, tenant) {
      const adapter = context.adapterOf(site, tenant);
      const guard = guards.get(adapter) ?? withDeadlines(adapter, settings.callMilliseconds);
      guards.set(adapter, guard);
      return guard;
    },
    meters: {
      ...meters,
      onStep(step) {
        pulse.beat();
        meters.onStep(step);
      },
    },
  };
}
