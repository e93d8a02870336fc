import type { FlightForm } from '../../warehouse/extract/form.ts';

/** An organisation that publishes flight records. Each provider has its own folder beside this file. */
export type Provider = {
  /** Lower-case letters and digits: the name in commands, in folders of the lake and in `data_provider`. */
  name: string;
  /** Name for people. */
  title: string;
  /** Two-letter codes of the countries whose flights the provider records. */
  countries: readonly string[];
  /** How answers and pages name the source of these figures. */
  attribution: string;
  /** What others may do with the figures, in one sentence. */
  terms: string;
  /** Page where the provider describes or offers the files. */
  url: string;
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
  return {
    ...facts,
    forms: forms.map((form) => ({ ...form, provider: facts.name, folder })),
  };
}
