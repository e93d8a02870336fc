import { dateAt } from '../../../warehouse/ground/dates.ts';
import { coverageBodyOf } from '../../presenters/coverage-body.ts';
import { currentStore } from '../../scoring/current-store.ts';
import type { Endpoint } from '../endpoint.ts';
import type { CoverageBody } from '../../schemas/coverage.ts';

/**
 * Data of `/coverage`: the answer of `/api/coverage`. The answer is not cached, because the age of the records changes
 * every day.
 */
export const coverageEndpoint: Endpoint = {
  path: '/explorer/coverage',
  restsOn: 'now',
  answer: (_query, { stores, now }): CoverageBody =>
    coverageBodyOf(currentStore(stores), dateAt(now())),
};
