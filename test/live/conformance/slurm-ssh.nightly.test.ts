import { describeAdapter } from '../../conformance/adapters/describe-adapter.ts';
import { labMissing } from '../../lab/lab.ts';
import { makeSlurmSshSite, SLURM_LABS } from './slurm-site.ts';

describeAdapter('Slurm by ssh', makeSlurmSshSite, labMissing(SLURM_LABS.ssh));
