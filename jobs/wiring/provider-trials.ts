import { tryProvider, type ProviderTrial } from '../../pipelines/model/provider-trial.ts';
import { knowledgeAsOf, readOutcomes } from '../../warehouse/build/as-of.ts';
import { listLakeProviders, providerLakeDir } from '../../warehouse/paths.ts';
import { monthOf } from '../../warehouse/ground/dates.ts';
import { openStore } from '../../warehouse/store/open.ts';
import { withFileLakes, type BacktestRequest } from './backtest-files.ts';

/**
 * The flights to forecast, and the months from which the former rates are computed. The forecasts are compared with
 * these rates.
 */
export type TrialPeriod = {
  /** First day that is forecast, and the day after the last day that is forecast; `YYYY-MM-DD`. */
  cut: string;
  until?: string;
  /**
   * First month (`YYYY-MM`) of the flights from which the former rates are computed. If absent, all months before the
   * cut are used.
   */
  ratesFrom?: string;
};

/** A day after all flights. */
const END = '9999-12-31';

/** Forecasts flights of a provider's lake. Uses only the provider's flights before the cut. */
export async function tryProviderLake(
  lake: string,
  provider: string,
  { cut, until = END, ratesFrom }: TrialPeriod,
): Promise<ProviderTrial> {
  const { store: files } = await knowledgeAsOf([lake], cut);
  const store = openStore(files);
  const rateStore =
    ratesFrom === undefined
      ? store
      : openStore((await knowledgeAsOf([lake], cut, { from: ratesFrom })).store);
  const outcomes = await readOutcomes(lake, cut, until);
  return tryProvider({
    ...{ provider, store, rateStore, outcomes },
    testedOn: [...new Set(outcomes.map(({ flight_date }) => monthOf(flight_date)))].toSorted(),
  });
}

/** Loads files of providers into a temporary lake and forecasts the flights of each period and provider. */
export function tryProviderFiles(
  request: Omit<BacktestRequest, 'cut' | 'seedFiles'>,
  periods: readonly TrialPeriod[],
): Promise<ProviderTrial[]> {
  return withFileLakes({ ...request, seedFiles: [] }, async ({ lake }) => {
    const trials: ProviderTrial[] = [];
    for (const provider of await listLakeProviders(lake)) {
      for (const period of periods) {
        trials.push(await tryProviderLake(providerLakeDir(lake, provider), provider, period));
      }
    }
    return trials;
  });
}
