import type { Component, ComponentKey, DataTier, RiskLabel } from './types.ts';

/** Label of a score or of 100 times a value: the bands of the specification, cut between whole points. */
export function riskLabel(score: number): RiskLabel {
  const points = Math.round(score);
  if (points <= 30) return 'Low';
  if (points <= 55) return 'Moderate';
  if (points <= 74) return 'High';
  return 'Very High';
}

/** One sentence: what the label means for a booking, the top driver, and how thin the evidence is. */
export function recommendation(label: RiskLabel, tier: DataTier, components: Component[]): string {
  const driver = DRIVERS[components[0]?.key ?? 'delay_rate'].replace('#', SUBJECT[tier]);
  return `${ADVICE[label](driver)}${EVIDENCE[tier]}.`;
}

const ADVICE: Record<RiskLabel, (driver: string) => string> = {
  Low: (driver) => `Safe to book: the little risk there is comes mostly from ${driver}`,
  Moderate: (driver) =>
    `Some risk, mostly from ${driver}: consider a flexible fare and check again closer to departure`,
  High: (driver) => `Elevated risk, mostly from ${driver}: check alternatives or add buffer time`,
  'Very High': (driver) =>
    `High probability of disruption, mostly from ${driver}: evaluate alternatives`,
};

/** `#` stands for whose record it is. */
const DRIVERS: Record<ComponentKey, string> = {
  delay_rate: 'the delay record of #',
  cancel_rate: 'the cancellation record of #',
  congestion: 'airport congestion',
  weather: 'the weather',
  seasonality: 'the time of year',
  event_risk: 'current events',
};

const SUBJECT: Record<DataTier, string> = {
  exact: 'this flight',
  route_any_airline: 'this route',
  no_data: 'these airports and this airline',
};

const EVIDENCE: Record<DataTier, string> = {
  exact: '',
  route_any_airline: ' (from other airlines on this route)',
  no_data: ' (the evidence is thin: no flights on this route in our history)',
};
