import { DAY_MS } from '../../warehouse/ground/dates.ts';
import { sum } from '../../warehouse/ground/sum.ts';
import type { WeatherHour, WeatherPlace } from './types.ts';

/** An airport and its hours, at the instants they are taken to be of. */
export type Station = { place: Pick<WeatherPlace, 'airport' | 'longitude'>; hours: WeatherHour[] };

/** When, by the sun, a value is highest on a usual day of these stations. */
export type DayCycle = {
  /** Hours after the sun's midnight, 0 to 24. */
  peak: number;
  /** Standard error of it, in hours. */
  error: number;
  days: number;
};

/** The turn of a day, once around, as a point of the plane. */
type Turn = readonly [x: number, y: number];

/** Of 24 hours; where more are missing, what is missing shapes the day. */
const LEAST_HOURS = 20;
/** Less than two weeks may all have the same front passing at the same time. */
const LEAST_DAYS = 14;
/** A cycle less than this many times its standard error may be chance. */
const LEAST_CLEARNESS = 5;

const ROUND = 2 * Math.PI;

/**
 * The daily cycle of a value, all stations together, from its first harmonic: temperature is highest some three hours after
 * noon. Days are one observation each, whatever number of stations has them: neighbours share their weather. Undefined where there
 * is too little to tell.
 */
export function dayCycle(
  stations: Station[],
  value: (hour: WeatherHour) => number | undefined,
): DayCycle | undefined {
  const byDay = new Map<number, Turn[]>();
  for (const { place, hours } of stations) {
    const sunMs = (place.longitude / 360) * DAY_MS;
    for (const [day, ofDay] of Map.groupBy(hours, ({ at }) => Math.floor(at / DAY_MS))) {
      const known = ofDay.flatMap((hour) => {
        const reading = value(hour);
        return reading === undefined ? [] : [{ angle: angleOf(hour.at + sunMs), reading }];
      });
      if (known.length < LEAST_HOURS) continue;
      byDay.set(day, [...(byDay.get(day) ?? []), turnOf(known)]);
    }
  }
  return byDay.size < LEAST_DAYS ? undefined : cycleOf([...byDay.values()].map(meanTurn));
}

function cycleOf(days: Turn[]): DayCycle | undefined {
  const [x, y] = meanTurn(days);
  const squares = sum(days.map((day) => (day[0] - x) ** 2 + (day[1] - y) ** 2));
  // Of each of the two directions; the one across the cycle is that of its phase.
  const error = Math.sqrt(squares / 2 / (days.length * (days.length - 1)));
  const size = Math.hypot(x, y);
  if (!(size >= LEAST_CLEARNESS * error) || size === 0) return undefined;
  const turn = Math.atan2(y, x) / ROUND;
  return {
    peak: (turn < 0 ? turn + 1 : turn) * 24,
    error: (error / size / ROUND) * 24,
    days: days.length,
  };
}

function turnOf(known: { angle: number; reading: number }[]): Turn {
  const mean = sum(known.map(({ reading }) => reading)) / known.length;
  return meanTurn(
    known.map(({ angle, reading }): Turn => {
      const more = reading - mean;
      return [more * Math.cos(angle), more * Math.sin(angle)];
    }),
  );
}

function meanTurn(turns: Turn[]): Turn {
  return [sum(turns.map(([x]) => x)) / turns.length, sum(turns.map(([, y]) => y)) / turns.length];
}

function angleOf(at: number): number {
  return ((at % DAY_MS) / DAY_MS) * ROUND;
}
