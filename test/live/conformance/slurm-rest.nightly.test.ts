import { describeAdapter } from '../../conformance/adapters/describe-adapter.ts';
import { labMissing } from '../../lab/lab.ts';
import { makeSlurmRestSite, SLURM_LABS } from './slurm-site.ts';

describeAdapter('Slurm by slurmrestd', makeSlurmRestSite, labMissing(SLURM_LABS.rest));
