import parameters from '../../models/weather-risk.json' with { type: 'json' };
import type { Database } from '../connect.ts';

/** Loads the fitted hazards of the weather risk into a table that the marts read. */
export async function loadWeatherHazards(db: Database): Promise<void> {
  await db.run('delete from reference.weather_hazards');
  for (const { hazard, reading, from, to, logOdds, typical } of parameters.hazards) {
    await db.run(
      'insert into reference.weather_hazards values ($hazard, $reading, $from, $to, $fullRisk, $typical)',
      { hazard, reading, from, to, fullRisk: logOdds / parameters.fullLogOdds, typical },
    );
  }
}
