/** The data of `/coverage`: the answer of `/api/coverage`. */
export type { CoverageBody as CoverageData, CoveredRecord } from '../../../schemas/coverage.ts';
