import {
  type WeatherMonthRef,
  readWeatherManifest,
  verifiedWeatherFile,
} from '../lake/weather-lake.ts';
import { type Database, inTransaction } from '../connect.ts';
import { LakeMonthMissingError } from '../errors.ts';

/** Replaces a month of weather of one source and returns the number of airport-days in that month. */
export async function loadWeatherMonth(
  db: Database,
  lakeDir: string,
  ref: WeatherMonthRef,
): Promise<number> {
  const manifest = await readWeatherManifest(lakeDir, ref);
  if (!manifest) throw new LakeMonthMissingError(`${ref.month} of the weather of ${ref.source}`);
  const file = await verifiedWeatherFile(lakeDir, manifest);
  const month = { source: ref.source, firstDay: `${ref.month}-01` };
  await inTransaction(db, async () => {
    await db.run(
      `delete from raw.airport_weather_days
       where source = $source and date_trunc('month', weather_date) = $firstDay::date;
       delete from raw.weather_months where source = $source and month = $firstDay::date`,
      month,
    );
    // Without `hive_partitioning = false`, `source=` and `month=` in the folder names would replace columns of the
    // rows.
    await db.run(
      `insert into raw.airport_weather_days by name
       select $source as source, * from read_parquet($file, hive_partitioning = false)`,
      { ...month, file },
    );
    await db.run('insert into raw.weather_months values ($source, $firstDay::date, $hash)', {
      ...month,
      hash: manifest.file.sha256,
    });
  });
  return manifest.file.rows;
}
