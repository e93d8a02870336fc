import type { Assessment, FlightQuery } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ApiDeps } from '../deps.ts';

/** What assessing a flight takes. */
export type AssessDeps = Pick<ApiDeps, 'assess' | 'liveInputs'>;

/** The assessment of a flight with the live inputs of this moment. */
export function assessNow(
  query: FlightQuery,
  store: ScoreStore,
  { assess, liveInputs }: AssessDeps,
): Assessment | Promise<Assessment> {
  return assess(query, store, liveInputs(query, store));
}
