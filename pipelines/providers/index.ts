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

/** Providers whose new figures a schedule can fetch, with the address of these figures. */
export const SEARCHED_PROVIDERS: readonly { name: string; address: string }[] = PROVIDERS.flatMap(
  ({ name, releases, collector }) => {
    const address = (collector ?? releases)?.address;
    return address === undefined ? [] : [{ name, address }];
  },
);

/**
 * All forms, in order of preference: a file gets the first form whose required columns are all in the file. BTS comes
 * last, because files of sums have all columns of its sums.
 */
export const FLIGHT_FORMS: readonly FlightForm[] = [
  ...PROVIDERS.filter((provider) => provider !== BTS),
  BTS,
].flatMap(({ forms }) => forms);

/** How the JSON answers of providers become tables. */
export const JSON_TABLES: readonly JsonTable[] = PROVIDERS.flatMap(
  ({ jsonTable }) => jsonTable ?? [],
);
