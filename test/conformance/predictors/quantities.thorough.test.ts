import { QUANTITIES } from '../../../src/predict/quantities.ts';
import { supplyWaitingTrainer } from '../../../src/training/supply.ts';
import { describeQuantity } from './describe-quantity.ts';
import { isServed } from './served.ts';

supplyWaitingTrainer();
for (const quantity of QUANTITIES) describeQuantity(quantity, (name) => !isServed(name));
