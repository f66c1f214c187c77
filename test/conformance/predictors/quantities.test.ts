import { QUANTITIES } from '../../../src/predict/quantities.ts';
import { describeQuantity } from './describe-quantity.ts';

for (const quantity of QUANTITIES) describeQuantity(quantity);
