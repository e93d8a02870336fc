import type { Component, ComponentKey, DataTier, RiskLabel } from './types.ts';

/** Label of a score or of 100 times a value: the bands of the specification, cut between whole points. */
export function riskLabel(score: number): RiskLabel {
  const points = Math.round(score);
  if (points <= 30) return 'Low';
  if (points <= 55) return 'Moderate';
  if (points <= 74) return 'High';
  return 'Very High';
}

const DRIVERS: Record<ComponentKey, string> = {
  delay_rate: 'the delay record of this flight',
  cancel_rate: 'its cancellation record',
  congestion: 'airport congestion',
  weather: 'the weather',
  seasonality: 'the time of year',
  event_risk: 'current events',
};

const ADVICE: Record<RiskLabel, (driver: string) => string> = {
  Low: () => 'Safe to book: the historical delay rate is low',
  Moderate: (driver) =>
    `Some risk, mostly from ${driver}: consider a flexible fare and check again closer to departure`,
  High: (driver) => `Elevated risk, mostly from ${driver}: check alternatives or add buffer time`,
  'Very High': (driver) =>
    `High probability of disruption, mostly from ${driver}: evaluate alternatives`,
};

/** One sentence: what the label means for a booking, the top driver, and whether the evidence is thin. */
export function recommendation(label: RiskLabel, tier: DataTier, components: Component[]): string {
  const [top] = components;
  const advice = ADVICE[label](top ? DRIVERS[top.key] : 'its history');
  return `${advice}${EVIDENCE[tier]}.`;
}

const EVIDENCE: Record<DataTier, string> = {
  exact: '',
  route_any_airline: ' (based on other airlines on this route)',
  no_data: ' (the evidence is thin: no flights on this route in our history)',
};
