import { memoizeFor } from '../../../warehouse/ground/load-once.ts';
import type { ForecastRecord } from '../../../warehouse/live/forecast-record.ts';
import { recordBodyOf } from '../../presenters/record-body.ts';
import type { Endpoint } from '../endpoint.ts';
import type { RecordData } from '../views/record/record-page.ts';

/** Data of the page with past forecasts and actual flights, by month, airline and provider. */
export const recordEndpoint: Endpoint = {
  path: '/explorer/record',
  restsOn: 'now',
  answer: (_query, { forecastRecord }): RecordData => {
    const record = forecastRecord();
    return record ? publishedData(record) : dataOf(undefined);
  },
};

/** Number of newest months that the page lists. The download has more. */
const MONTHS = 24;

/** The record changes once a night, so its figures are computed once. */
const publishedData = memoizeFor((record: ForecastRecord) => dataOf(record));

function dataOf(record: ForecastRecord | undefined): RecordData {
  const groups = (by: 'airline' | 'provider') =>
    recordBodyOf(record, { outcome: 'disrupted', by }).figures.filter(({ month }) => !month);
  return {
    record: recordBodyOf(record, { outcome: 'disrupted', months: MONTHS }),
    groups: [...groups('provider'), ...groups('airline')],
  };
}
