import type { ReleaseIndex } from '../releases.ts';

/** The files of ANAC, one per month. Their addresses follow a rule; up to 2009 the files have another name. */
export const ANAC_RELEASES: ReleaseIndex = {
  address: 'https://siros.anac.gov.br/siros/registros/diversos/vra',
  list: async (months, { address }) =>
    months.map((period) => {
      const [year = '', month = ''] = period.split('-');
      const name = Number(year) < 2010 ? `VRA_${year}${Number(month)}` : `VRA_${year}_${month}`;
      return { period, url: `${address}/${year}/${name}.csv` };
    }),
};
