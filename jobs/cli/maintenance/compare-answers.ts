import { assembleRows } from '../../../models/assemble.ts';
import { FEATURES } from '../../../models/features.ts';
import { assessFlight } from '../../../models/score.ts';
import type { FlightQuery } from '../../../models/types.ts';
import { addDays, dateAt } from '../../../warehouse/ground/dates.ts';
import { openStore } from '../../../warehouse/store/open.ts';
import type { StoreFiles } from '../../../warehouse/store/store-manifest.ts';

/** The comparison of the answers of two stores; `example` describes the first flight with different answers. */
export type AnswerComparison = { compared: number; equal: number; example?: string };

/** Number of airline-routes in the sample. */
const SAMPLE = 200;
/** Number of days from the build of the running store to the date of the compared flights. */
const DAYS_AHEAD = 30;
/** Departure hours of the compared flights. */
const HOURS = [8, 18];
/** Tolerance for differences: the sums of a rebuilt warehouse may differ in their last bits. */
const TOLERANCE = 1e-6;

/**
 * Compares the answers of both stores for a sample of the running store's flights: the score, the components and the
 * inputs of the model. Two stores with equal inputs and the same model give equal answers. Uses no live data.
 */
export function compareAnswers(running: StoreFiles, restored: StoreFiles): AnswerComparison {
  const [answer, answerRestored] = [scorerOf(running), scorerOf(restored)];
  const hasSameModel = running.manifest.model?.sha256 === restored.manifest.model?.sha256;
  const flightDate = addDays(dateAt(Date.parse(running.manifest.builtAt)), DAYS_AHEAD);
  const comparison: AnswerComparison = { compared: 0, equal: 0 };
  for (const { origin, dest, carrier } of sampleRoutes(running)) {
    for (const crsDepHour of HOURS) {
      const flight = { origin, dest, carrier, flightDate, crsDepHour };
      const [expected, actual] = [answer(flight), answerRestored(flight)];
      comparison.compared += 1;
      if (hasSameModel && isEqual(expected, actual)) comparison.equal += 1;
      else {
        comparison.example ??= `${carrier} ${origin}-${dest} at ${crsDepHour}:00: ${expected[0]}, restored ${actual[0]}`;
      }
    }
  }
  return comparison;
}

function sampleRoutes(files: StoreFiles) {
  const routes = [...openStore(files).airlineRoutes()];
  const every = Math.max(1, Math.floor(routes.length / SAMPLE));
  return routes.filter((_, at) => at % every === 0).slice(0, SAMPLE);
}

/** Returns a function that lists the figures of a flight's answer; the score is first. */
function scorerOf(files: StoreFiles): (flight: FlightQuery & { crsDepHour: number }) => number[] {
  const store = openStore(files);
  return (flight) => {
    const { score, components } = assessFlight(flight, store, {});
    const inputs = new Float32Array(FEATURES.length);
    assembleRows(flight, [flight.crsDepHour], store, {}, inputs);
    return [score, ...components.map(({ value }) => value), ...inputs];
  };
}

/** Whether all figures are equal; an unknown input of the model is NaN. */
function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.every((value, at) => {
    const other = b[at] ?? Infinity;
    const isUnknown = Number.isNaN(value) && Number.isNaN(other);
    return isUnknown || Math.abs(value - other) <= TOLERANCE * Math.max(1, Math.abs(value));
  });
}
