import { describeAdapter } from './describe-adapter.ts';
import { makeSimulatedSite } from './simulated-site.ts';

describeAdapter('the simulator', makeSimulatedSite);
