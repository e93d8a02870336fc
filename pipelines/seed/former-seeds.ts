/**
 * SHA-256 of every `route_hours.parquet` that shipped before the present one: months of it in a data folder give way to those
 * of the present one, months of anything else do not.
 */
export const FORMER_SEEDS = [
  // 2018: sixteen airlines, and Southwest without the 29 largest airports.
  '01ffc0faa0c726553e956561a72d15ce39dd32ffec85c9474592189490900527',
];
