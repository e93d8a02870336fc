import type { FlightForm } from '../../warehouse/extract/form.ts';
import type { Collector } from './collector.ts';
import type { ReleaseIndex } from './releases.ts';
import type { JsonTable } from '../../warehouse/extract/json-table.ts';

/** An organisation that publishes flight records. Each provider has a folder beside this file. */
export type Provider = {
  /** Lower-case letters and digits: the name in commands, in folders of the lake and in `data_provider`. */
  name: string;
  /** Name for people. */
  title: string;
  /** Two-letter codes of the countries whose flights the provider records. */
  countries: readonly string[];
  /** Name of the figures' source, as answers and pages show it. */
  attribution: string;
  /** The terms of use of the figures, in one sentence. */
  terms: string;
  /** Page where the provider describes or offers the files. */
  url: string;
  /** The place of the files for `make backfill PROVIDER=`; absent if the files are loaded by hand. */
  releases?: ReleaseIndex;
  /** Collects the provider's figures day by day; absent if files cover a month or more. */
  collector?: Collector;
  /** Rule that converts the provider's JSON answers to tables; absent for providers without JSON. */
  jsonTable?: JsonTable;
  /** Whether the bundled history may contain the provider's record. */
  isBundled?: true;
  /** Forms of the provider's files. */
  forms: readonly FlightForm[];
};

/** A form as its provider describes it. */
export type FormDescription = Omit<FlightForm, 'provider' | 'folder'>;

/** Creates a provider; `folder` has the SQL file of each form. */
export function createProvider({
  folder,
  forms,
  ...facts
}: Omit<Provider, 'forms'> & { folder: string; forms: readonly FormDescription[] }): Provider {
  const own = forms.map((form) => ({ ...form, provider: facts.name, folder }));
  const sums = facts.isBundled ? [createSumsForm(facts.name, own[0]?.delayBasis)] : [];
  return { ...facts, forms: [...sums, ...own] };
}

/** Returns the name of the marker column. A file that has this column contains the sums of the provider. */
function sumsMarker(provider: string): string {
  return `provider_${provider}`;
}

/** Creates the form of a file with the sums of a provider. The bundled history contains such files. */
function createSumsForm(
  provider: string,
  delayBasis: FlightForm['delayBasis'] = 'arrival',
): FlightForm {
  return {
    name: `${provider}_sums`,
    source: 'provider_sums',
    provider,
    folder: import.meta.dirname,
    kind: 'route_hours',
    required: [
      sumsMarker(provider),
      ...ROUTE_HOURS_COLUMNS,
      'delayed180_count',
      'delayed360_count',
    ],
    optional: [],
    hasExclusions: true,
    keepsOrder: true,
    delayBasis,
    calendar: 'year_month',
  };
}

/** Columns that every file of sums by route and hour has. */
export const ROUTE_HOURS_COLUMNS = [
  'month',
  'carrier',
  'origin',
  'dest',
  'crs_dep_hour',
  'delay_basis',
  'flight_count',
  'cancelled_count',
  'diverted_count',
  'completed_count',
  'delayed15_count',
  'delayed_count',
  'delayed60_count',
  'delayed120_count',
  'delayed_min_sum',
];
