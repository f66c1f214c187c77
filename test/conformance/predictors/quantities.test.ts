import { QUANTITIES } from '../../../src/predict/quantities.ts';
import { describeQuantity } from './describe-quantity.ts';
import { isServed } from './served.ts';

for (const quantity of QUANTITIES) describeQuantity(quantity, isServed);
