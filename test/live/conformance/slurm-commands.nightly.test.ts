import { describeAdapter } from '../../conformance/adapters/describe-adapter.ts';
import { labMissing } from '../../lab/lab.ts';
import { makeSlurmCommandSite, SLURM_LABS } from './slurm-site.ts';

describeAdapter('Slurm by commands', makeSlurmCommandSite, labMissing(SLURM_LABS.commands));
