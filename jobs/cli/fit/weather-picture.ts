import { svgOf } from '../svg.ts';
import { weatherRisk, type Hazard, type HazardReading } from '../../../models/weather-risk.ts';

const CALM = { windMaxKmh: 0, precipMaxMm: 0, snowfallCm: 0, visibilityMinM: 20_000 };

/** What each panel shows: a reading from its calm end to beyond its full effect, in units for people. */
const PANELS: Record<HazardReading, { title: string; most: number; unit: number }> = {
  windMaxKmh: { title: 'highest wind, km/h', most: 100, unit: 1 },
  precipMaxMm: { title: 'highest precipitation, mm/h', most: 15, unit: 1 },
  snowfallCm: { title: 'snowfall, cm', most: 15, unit: 1 },
  visibilityMinM: { title: 'lowest visibility, km', most: 15_000, unit: 1_000 },
};
const STEPS = 60;

/** The weather risk by each reading on an otherwise calm day, as SVG; the same parameters give the same bytes. */
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
  const { most, unit } = PANELS[reading];
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const value = (most * step) / STEPS;
    return { at: value / unit, risk: weatherRisk({ ...CALM, [reading]: value }, hazards) };
  });
}
