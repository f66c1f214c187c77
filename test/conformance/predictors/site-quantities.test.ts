import { LOAD } from '../../../src/predict/load/load.ts';
import { describeSiteQuantity } from './describe-site-quantity.ts';

describeSiteQuantity(LOAD);
