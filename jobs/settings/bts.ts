import { z } from 'zod';
import { BTS_TABLES, type BtsTable } from '../../pipelines/flights/months.ts';
import { isBaseUrl } from './kinds.ts';

/** BTS's folder of monthly files. */
const BTS_PREZIP = 'https://transtats.bts.gov/PREZIP';

/** The settings of BTS's monthly files. */
export const BTS_SETTINGS = {
  BTS_BASE_URL: z
    .string()
    .default(BTS_PREZIP)
    .refine(isBaseUrl, 'BTS_BASE_URL is not a plain http:// or https:// address'),
  BTS_TABLE: z
    .enum(BTS_TABLES, {
      error: ({ input }) => `BTS_TABLE "${input}" is not one of ${BTS_TABLES.join(', ')}`,
    })
    .default('marketing'),
};

/** Address of the folder with BTS's monthly files, and the table to fetch. */
export type BtsConfig = Readonly<{ btsBaseUrl: string; btsTable: BtsTable }>;

/** Returns the configuration of BTS's monthly files. */
export function btsOf(settings: { BTS_BASE_URL: string; BTS_TABLE: BtsTable }): BtsConfig {
  return { btsBaseUrl: settings.BTS_BASE_URL, btsTable: settings.BTS_TABLE };
}
