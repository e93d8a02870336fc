import { Gauge, type GaugeConfiguration, type Registry } from 'prom-client';

/** Adds a gauge to the registry; `collect` is called at each scrape. */
export function addGauge<Label extends string>(
  registry: Registry,
  gauge: Omit<GaugeConfiguration<Label>, 'registers'>,
): Gauge<Label> {
  return new Gauge<Label>({ ...gauge, registers: [registry] });
}
