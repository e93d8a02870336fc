import { FULL_LOG_ODDS, type Hazard } from '../../../models/weather-risk.ts';
import { table } from '../tables.ts';
import { compareCandidates, outcomeTable } from './report.ts';
import { PARAMETERS_FILE, PICTURE_FILE, saveText, sealParameters } from './save-weather.ts';
import { HAZARD_RANGES, upliftTable, WEATHER_SPLITS, weatherFolds } from './weather.ts';
import { weatherFlights } from './weather-days.ts';
import { fitHazards } from '../../../models/train/weather-risk.ts';
import { weatherPicture } from './weather-picture.ts';

/**
 * Fits the weather risk, and prints its results on months and a region outside the training set; with `write`, also
 * saves the fit.
 */
export async function fitWeather(dataDir: string, write: boolean): Promise<void> {
  const days = await weatherFlights(dataDir);
  const columns = WEATHER_SPLITS.map((split) => ({
    name: split.name,
    outcomes: compareCandidates(weatherFolds(days, split), 'no weather'),
  }));
  console.log(outcomeTable('weather of the day', columns));
  const hazards = fitHazards(days, [...HAZARD_RANGES]);
  console.log(
    table(
      ['hazard', 'from', 'to', 'log-odds', 'standard error', 'typical share'],
      hazards.map(({ hazard, from, to, logOdds, standardError, setTo, typical }) => [
        hazard,
        String(from),
        String(to),
        logOdds.toFixed(2),
        setTo === undefined ? standardError.toFixed(2) : 'set by hand',
        typical.toFixed(3),
      ]),
    ),
  );
  console.log(
    table(
      ['risk', 'days', 'flights', 'delayed'],
      upliftTable(days, hazards).map(({ from, until, days: count, completed, rate }) => [
        `${(from / FULL_LOG_ODDS).toFixed(2)}–${Math.min(1, until / FULL_LOG_ODDS).toFixed(2)}`,
        String(count),
        String(completed),
        `${(100 * rate).toFixed(1)} %`,
      ]),
    ),
  );
  if (!write) return;
  const text = await sealParameters(hazards, days, dataDir);
  await saveText(PARAMETERS_FILE, text);
  const { hazards: roundedHazards } = JSON.parse(text) as { hazards: Hazard[] };
  await saveText(PICTURE_FILE, weatherPicture(roundedHazards));
  console.log(`written to ${PARAMETERS_FILE} and ${PICTURE_FILE}`);
}
