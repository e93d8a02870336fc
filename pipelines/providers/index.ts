import type { FlightForm } from '../../warehouse/extract/form.ts';
import type { JsonTable } from '../../warehouse/extract/json-table.ts';
import { ANAC } from './anac/provider.ts';
import { AQST } from './aqst/provider.ts';
import { BITRE } from './bitre/provider.ts';
import { BTS } from './bts/provider.ts';
import { CAA } from './caa/provider.ts';
import { GENERIC } from './generic/provider.ts';
import { HKIA } from './hkia/provider.ts';
import type { Provider } from './provider.ts';
import { ZRH } from './zrh/provider.ts';

/** All providers. A new provider needs one line here; docs/providers.md describes its folder. */
export const PROVIDERS: readonly Provider[] = [BTS, HKIA, ZRH, BITRE, CAA, AQST, ANAC, GENERIC];

/** Providers from which a schedule can fetch new figures, with the address of these figures. */
export const SEARCHED_PROVIDERS: readonly { name: string; address: string }[] = PROVIDERS.flatMap(
  ({ name, releases, collector }) => {
    const address = (collector ?? releases)?.address;
    return address === undefined ? [] : [{ name, address }];
  },
);

/**
 * All forms, in order of preference: a file gets the first form whose required columns it has. BTS comes last: files
 * with the sums of other providers have all columns of BTS's sums, too.
 */
export const FLIGHT_FORMS: readonly FlightForm[] = [
  ...PROVIDERS.filter((provider) => provider !== BTS),
  BTS,
].flatMap(({ forms }) => forms);

/** Rules that convert the JSON answers of providers to tables. */
export const JSON_TABLES: readonly JsonTable[] = PROVIDERS.flatMap(
  ({ jsonTable }) => jsonTable ?? [],
);
