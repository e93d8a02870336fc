/**
 * SHA-256 of every `route_hours.parquet` that shipped before the current one. Months of a former seed in a data folder
 * are replaced by those of the current seed; months from other sources are not.
 */
export const FORMER_SEEDS = [
  // 2018: sixteen airlines, and Southwest without the 29 largest airports.
  '01ffc0faa0c726553e956561a72d15ce39dd32ffec85c9474592189490900527',
];
