import { LOAD } from '../../../src/predict/load/load.ts';
import { describeSiteQuantity } from './describe-site-quantity.ts';
import { isServed } from './served.ts';

describeSiteQuantity(LOAD, (name) => !isServed(name));
