import type { Logger } from 'pino';
import type { AdapterRegistry } from '../domain/adapter-registry.ts';
import type { Clock } from '../domain/clock.ts';
import { CheckedAdapter, type CheckLimits } from './checked-adapter.ts';

/**
 * The same adapters, each of which is checked as the flow checks them. What goes wrong is logged under the adapter's
 * name.
 */
export function checkedRegistry(
  adapters: AdapterRegistry,
  clock: Clock,
  limits: CheckLimits,
  logger: Logger,
): AdapterRegistry {
  return {
    names: adapters.names,
    check: (adapter, configuration) => adapters.check(adapter, configuration),
    connect: (adapter, configuration, tenant) =>
      new CheckedAdapter(
        adapters.connect(adapter, configuration, tenant),
        clock,
        limits,
        logger,
        `a ${adapter} site under check`,
      ),
  };
}
