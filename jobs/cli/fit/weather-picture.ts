import { drawChart } from '../chart.ts';
import { weatherRisk, type Hazard, type HazardReading } from '../../../models/weather-risk.ts';

const CALM = { windMaxKmh: 0, precipMaxMm: 0, snowfallCm: 0, visibilityMinM: 20_000 };

/**
 * One panel per reading. The axis ends at `max`, beyond the reading's full effect, and shows the reading divided by
 * `unit`.
 */
const PANELS: Record<HazardReading, { title: string; max: number; unit: number }> = {
  windMaxKmh: { title: 'highest wind, km/h', max: 100, unit: 1 },
  precipMaxMm: { title: 'highest precipitation, mm/h', max: 15, unit: 1 },
  snowfallCm: { title: 'snowfall, cm', max: 15, unit: 1 },
  visibilityMinM: { title: 'lowest visibility, km', max: 15_000, unit: 1_000 },
};
const STEPS = 60;

/**
 * Draws, as SVG, how the weather risk depends on each reading on an otherwise calm day. Equal parameters give equal
 * bytes.
 */
export function weatherPicture(hazards: readonly Hazard[]): string {
  const panels = hazards.map(({ reading }) => {
    const { title, max, unit } = PANELS[reading];
    return {
      width: 170,
      height: 150,
      x: { title, domain: [0, max / unit] as [number, number], ticks: 5, format: 'd' },
      y: { title: 'weather risk', domain: [0, 1] as [number, number], ticks: 5, format: '.1f' },
      marks: [
        {
          kind: 'line' as const,
          points: curve(reading, hazards),
          colour: '#1f5fa8',
          width: 2.5,
        },
      ],
    };
  });
  return drawChart([panels]);
}

function curve(reading: HazardReading, hazards: readonly Hazard[]): [number, number][] {
  const { max, unit } = PANELS[reading];
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const value = (max * step) / STEPS;
    return [value / unit, weatherRisk({ ...CALM, [reading]: value }, hazards)];
  });
}
