import { describeAdapter } from '../../conformance/adapters/describe-adapter.ts';
import { labMissing } from '../../lab/lab.ts';
import { GRID_ENGINE_LAB, makeGridEngineSite } from './gridengine-site.ts';

describeAdapter('Grid Engine by commands', makeGridEngineSite, labMissing(GRID_ENGINE_LAB));
