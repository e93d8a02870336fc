/**
 * SHA-256 of every `route_hours.parquet` that shipped before the current one. Months of a former seed in a data folder
 * are replaced by those of the current seed; months from other sources are not.
 */
export const FORMER_SEEDS = [
  // 2018: sixteen airlines, and Southwest without the 29 largest airports.
  '01ffc0faa0c726553e956561a72d15ce39dd32ffec85c9474592189490900527',
  // Without the flights more than 45, 90, 180 and 360 minutes late.
  'd4bc8c7d32178caca8ee7806f01659b28ed555463b47ccd7fec88c98c694a39d',
];
