import { svgOf } from '../svg.ts';
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

/** Draws the weather risk by each reading on an otherwise calm day, as SVG; equal parameters give equal bytes. */
export function weatherPicture(hazards: readonly Hazard[]): Promise<string> {
  return svgOf({
    hconcat: hazards.map(({ reading }) => ({
      width: 170,
      height: 150,
      data: { values: curve(reading, hazards) },
      mark: { type: 'line', strokeWidth: 2.5, color: '#1f5fa8' },
      encoding: {
        x: { field: 'at', type: 'quantitative', title: PANELS[reading].title },
        y: {
          field: 'risk',
          type: 'quantitative',
          title: 'weather risk',
          scale: { domain: [0, 1] },
        },
      },
    })),
  });
}

function curve(reading: HazardReading, hazards: readonly Hazard[]): { at: number; risk: number }[] {
  const { max, unit } = PANELS[reading];
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const value = (max * step) / STEPS;
    return { at: value / unit, risk: weatherRisk({ ...CALM, [reading]: value }, hazards) };
  });
}
