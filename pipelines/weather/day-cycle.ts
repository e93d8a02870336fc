import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { sum } from '../../warehouse/ground/numbers.ts';
import type { WeatherHour, WeatherPlace } from './types.ts';

/** An airport and its hours, converted to instants with an assumed time zone. */
export type Station = { place: Pick<WeatherPlace, 'airport' | 'longitude'>; hours: WeatherHour[] };

/** Solar time at which a value has its daily maximum, averaged over the stations. */
export type DayCycle = {
  /** Hours after solar midnight, 0 to 24. */
  peak: number;
  /** Standard error of the peak, in hours. */
  error: number;
  days: number;
};

/** The first harmonic of a day, as a point in the plane. Its angle is the time of the daily maximum. */
type Harmonic = readonly [x: number, y: number];

/** Minimum number of hours with a reading in a day. With more gaps, the gaps would distort the harmonic. */
const MIN_HOURS = 20;
/** Minimum number of days. In less than two weeks, a weather front may by chance pass at the same time every day. */
const MIN_DAYS = 14;
/** Minimum size of a cycle, in standard errors. A smaller cycle may be chance. */
const MIN_CLEARNESS = 5;

const FULL_TURN = 2 * Math.PI;

/**
 * Estimates the daily cycle of a value over all stations, from its first harmonic. For example, temperature peaks about
 * three hours after noon. Each day is one observation for all stations together, because neighbouring stations share
 * their weather. Returns undefined if there are too few data.
 */
export function dayCycle(
  stations: Station[],
  value: (hour: WeatherHour) => number | undefined,
): DayCycle | undefined {
  const byDay = new Map<number, Harmonic[]>();
  for (const { place, hours } of stations) {
    const sunMs = (place.longitude / 360) * DAY_MS;
    for (const [day, dayHours] of Map.groupBy(hours, ({ at }) => Math.floor(at / DAY_MS))) {
      const readings = dayHours.flatMap((hour) => {
        const reading = value(hour);
        return reading === undefined ? [] : [{ angle: angleOf(hour.at + sunMs), reading }];
      });
      if (readings.length < MIN_HOURS) continue;
      byDay.set(day, [...(byDay.get(day) ?? []), firstHarmonic(readings)]);
    }
  }
  return byDay.size < MIN_DAYS ? undefined : cycleOf([...byDay.values()].map(meanHarmonic));
}

function cycleOf(days: Harmonic[]): DayCycle | undefined {
  const [x, y] = meanHarmonic(days);
  const squares = sum(days.map((day) => (day[0] - x) ** 2 + (day[1] - y) ** 2));
  // The standard error of one coordinate of the mean harmonic. It is the same in every direction. At a right angle to
  // the mean harmonic, it is therefore the error of the phase.
  const error = Math.sqrt(squares / 2 / (days.length * (days.length - 1)));
  const size = Math.hypot(x, y);
  if (!(size >= MIN_CLEARNESS * error) || size === 0) return undefined;
  const phase = Math.atan2(y, x) / FULL_TURN;
  return {
    peak: (phase < 0 ? phase + 1 : phase) * 24,
    error: (error / size / FULL_TURN) * 24,
    days: days.length,
  };
}

function firstHarmonic(readings: { angle: number; reading: number }[]): Harmonic {
  const mean = sum(readings.map(({ reading }) => reading)) / readings.length;
  return meanHarmonic(
    readings.map(({ angle, reading }): Harmonic => {
      const deviation = reading - mean;
      return [deviation * Math.cos(angle), deviation * Math.sin(angle)];
    }),
  );
}

function meanHarmonic(harmonics: Harmonic[]): Harmonic {
  return [
    sum(harmonics.map(([x]) => x)) / harmonics.length,
    sum(harmonics.map(([, y]) => y)) / harmonics.length,
  ];
}

function angleOf(at: number): number {
  return ((at % DAY_MS) / DAY_MS) * FULL_TURN;
}
