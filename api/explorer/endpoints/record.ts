import { recordBodyOf } from '../../presenters/record-body.ts';
import type { Endpoint } from '../endpoint.ts';
import type { RecordData } from '../views/record/record-page.ts';

/** Data of the page with past forecasts and actual flights, by month, airline and provider. */
export const recordEndpoint: Endpoint = {
  path: '/explorer/record',
  restsOn: 'now',
  answer: (_query, { forecastRecord }): RecordData => {
    const record = forecastRecord();
    const groups = (by: 'airline' | 'provider') =>
      recordBodyOf(record, { outcome: 'disrupted', by }).figures.filter(({ month }) => !month);
    return {
      record: recordBodyOf(record, { outcome: 'disrupted' }),
      groups: [...groups('provider'), ...groups('airline')],
    };
  },
};
