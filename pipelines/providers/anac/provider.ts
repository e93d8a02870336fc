import { createProvider, type FormDescription } from '../provider.ts';
import type { ReleaseIndex } from '../releases.ts';
import { ANAC_TABLE } from './table.ts';

/** The files of ANAC, one per month. Their addresses follow a pattern, which is different for files up to 2009. */
const ANAC_RELEASES: ReleaseIndex = {
  address: 'https://siros.anac.gov.br/siros/registros/diversos/vra',
  list: async (months, { address }) =>
    months.map((period) => {
      const [year = '', month = ''] = period.split('-');
      const name = Number(year) < 2010 ? `VRA_${year}${Number(month)}` : `VRA_${year}_${month}`;
      return { period, url: `${address}/${year}/${name}.csv` };
    }),
};

const SHARED = {
  kind: 'flights',
  flightNumber: 'número voo',
  usesCodes: true,
  hasExclusions: true,
  olderEncoding: 'windows-1252',
  source: 'anac_vra',
  delayBasis: 'arrival',
  calendar: 'date',
} as const satisfies Partial<FormDescription>;

const COLUMNS = [
  'sigla icao empresa aérea|icao empresa aérea',
  'número voo',
  'código tipo linha',
  'sigla icao aeroporto origem|icao aeródromo origem',
  'partida prevista',
  'partida real',
  'sigla icao aeroporto destino|icao aeródromo destino|icao aeródromoo destino',
  'chegada prevista',
  'chegada real',
  'situação voo|situação',
];

/** ANAC, Brazil's civil aviation authority. It publishes the table of regular flights (Voo Regular Ativo). */
export const ANAC = createProvider({
  name: 'anac',
  title: 'Agência Nacional de Aviação Civil',
  countries: ['BR'],
  attribution: 'ANAC (Brazil), Voo Regular Ativo',
  terms:
    'The terms for passing on the figures are not known, so the figures do not ship with the code.',
  url: 'https://www.gov.br/anac/',
  releases: ANAC_RELEASES,
  folder: import.meta.dirname,
  jsonTable: ANAC_TABLE,
  forms: [
    {
      ...SHARED,
      name: 'anac_vra',
      delimiter: ';',
      required: COLUMNS,
      optional: [],
    },
    {
      ...SHARED,
      name: 'anac_vra_commas',
      required: COLUMNS,
      optional: [],
    },
  ],
});
