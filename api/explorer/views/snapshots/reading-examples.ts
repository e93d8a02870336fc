import { fileAddress, type OfferedSnapshot } from './snapshot-data.ts';

/** Programs that read a snapshot. Each program prints the ten flights from one airport that have the highest scores. */
export function readingExamples({ version }: Pick<OfferedSnapshot, 'version'>, site: string) {
  const addressOf = (name: string) => `${site}${fileAddress(version, name)}`;
  return [
    {
      id: 'read-duckdb',
      name: 'DuckDB',
      code: `select airline, destination, dep_hour, score
from read_parquet('${addressOf('forecasts.parquet')}')
where origin = 'JFK'
order by score desc
limit 10;`,
    },
    {
      id: 'read-pandas',
      name: 'pandas',
      // pandas would read the airline code NA as a missing value.
      code: `import pandas as pd

forecasts = pd.read_csv(
    "${addressOf('forecasts.csv')}",
    keep_default_na=False,
    na_values={name: [""] for name in ["dep_hour", "late_probability", "disrupted_probability"]},
)
from_jfk = forecasts[forecasts["origin"] == "JFK"]
print(from_jfk.nlargest(10, "score")[["airline", "destination", "dep_hour", "score"]])`,
    },
  ];
}
