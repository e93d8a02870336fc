import type { FlightForm } from '../../warehouse/extract/form.ts';
import { BTS } from './bts/provider.ts';
import type { Provider } from './provider.ts';

/** All providers. A new provider needs one line here; docs/providers.md describes its folder. */
const PROVIDERS: readonly Provider[] = [BTS];

/** All forms, in order of preference: a file gets the first form whose required columns are all in the file. */
export const FLIGHT_FORMS: readonly FlightForm[] = PROVIDERS.flatMap(({ forms }) => forms);
