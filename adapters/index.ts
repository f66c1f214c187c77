import { z } from 'zod';
import type { AdapterRegistry } from '../src/domain/adapter-registry.ts';
import type { SiteAdapter } from '../src/domain/site-adapter.ts';
import { gridEngineConfig } from './gridengine/config.ts';
import { createGridEngineAdapter } from './gridengine/gridengine.ts';
import { oarConfig } from './oar/config.ts';
import { createOarAdapter } from './oar/oar.ts';
import { pbsConfig } from './pbs/config.ts';
import { createPbsAdapter } from './pbs/pbs.ts';
import { asTenant, takeIdentities } from './shared/identities.ts';
import { schemaFaults } from './shared/schema-faults.ts';
import { createSimulatorAdapter, simulatorConfig } from './simulator/simulator.ts';
import { slurmConfig } from './slurm/config.ts';
import { createSlurmAdapter } from './slurm/slurm.ts';

/** An adapter as it is registered: what its configuration looks like and how one is made. */
interface Registration {
  readonly schema: z.ZodType;
  connect(configuration: unknown): SiteAdapter;
}

function register<Schema extends z.ZodType>(
  schema: Schema,
  create: (configuration: z.infer<Schema>) => SiteAdapter,
): Registration {
  return { schema, connect: (configuration) => create(schema.parse(configuration)) };
}

/** Every adapter, a line each. */
const ADAPTERS: ReadonlyMap<string, Registration> = new Map([
  ['gridengine', register(gridEngineConfig, createGridEngineAdapter)],
  ['oar', register(oarConfig, createOarAdapter)],
  ['slurm', register(slurmConfig, createSlurmAdapter)],
  ['pbs', register(pbsConfig, createPbsAdapter)],
  ['simulator', register(simulatorConfig, createSimulatorAdapter)],
]);

/** The adapters of this deployment. */
export const adapters: AdapterRegistry = {
  names: [...ADAPTERS.keys()],
  check(adapter, configuration) {
    const registration = ADAPTERS.get(adapter);
    if (!registration) return [`no adapter "${adapter}"; there are ${[...ADAPTERS.keys()].join(', ')}`];
    const { own, identities, faults } = takeIdentities(configuration);
    const found = [...faults, ...schemaFaults(registration.schema, own, 'configuration')];
    // Accounts are checked by then; what of both together is at fault says nothing new where either is.
    if (found.length > 0) return found;
    return Object.entries(identities).flatMap(([tenant, account]) =>
      schemaFaults(registration.schema, asTenant(own, account), 'configuration').map(
        (fault) => `as tenant ${tenant}, ${fault}`,
      ),
    );
  },
  connect(adapter, configuration, tenant) {
    const registration = ADAPTERS.get(adapter);
    if (!registration) throw new RangeError(`no adapter "${adapter}"`);
    const { own, identities, faults } = takeIdentities(configuration);
    if (faults.length > 0) throw new RangeError(faults.join('; '));
    if (tenant === undefined) return registration.connect(own);
    const account = Object.hasOwn(identities, tenant) ? identities[tenant] : undefined;
    if (!account) throw new RangeError(`tenant "${tenant}" has no account at this site`);
    return registration.connect(asTenant(own, account));
  },
};
