import { describeTexts } from './slurm-texts.ts';

describeTexts(80);
