import { describeAdapter } from '../../conformance/adapters/describe-adapter.ts';
import { labMissing } from '../../lab/lab.ts';
import { makeOarSite, OAR_LAB } from './oar-site.ts';

describeAdapter('OAR by commands', makeOarSite, labMissing(OAR_LAB));
