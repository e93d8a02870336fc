import { Router } from '@koa/router';
import type { z } from 'zod';
import { flightCurve } from '../../models/flight-curve.ts';
import { forecastTrip, type TripForecast } from '../../models/trip.ts';
import type { Assessment } from '../../models/types.ts';
import type { ScoreStore } from '../../warehouse/store/types.ts';
import type { ApiState } from '../context.ts';
import type { ScoringDeps } from '../deps.ts';
import { keyedEndpoint } from '../middleware/keyed-endpoint.ts';
import { itineraryBodyOf } from '../presenters/itinerary-body.ts';
import { splitFlight } from '../schemas/flight-text.ts';
import { itineraryParams, legParams, type ItineraryBody } from '../schemas/itinerary.ts';
import { checkInboundDelays } from '../schemas/inbound-delay.ts';
import { readCallParams, readParams } from '../schemas/params.ts';
import { assessNow, withAircraft, type AssessNowDeps } from '../scoring/assess.ts';
import { currentStore } from '../scoring/current-store.ts';
import { resolveItinerary, type Itinerary } from '../scoring/itinerary.ts';

type ItineraryQuery = { whole: ScoreStore; itinerary: Itinerary };

/** `GET /api/itinerary`: scores of the flights of a trip, and the risk of missed connections. */
export function itineraryRoutes(deps: ScoringDeps): Router<ApiState> {
  const endpoint = keyedEndpoint<ItineraryQuery>(
    {
      usageLabel: '/api/itinerary',
      isCacheable: true,
      isCompressible: true,
      isCostly: true,
      parse: (ctx) => {
        const whole = currentStore(deps.stores);
        const params = readCallParams(ctx, itineraryParams);
        return { whole, itinerary: itineraryOf(params, { whole, now: deps.now() }) };
      },
      cost: ({ itinerary }) => itinerary.legs.length,
      storeOf: ({ whole }) => whole,
      answer: ({ itinerary }) => itineraryAnswer(itinerary, assessLegs(itinerary, deps)),
    },
    deps,
  );
  return new Router<ApiState>().get('/api/itinerary', endpoint);
}

/** Returns the flights and connections that the parameters describe. */
export function itineraryOf(
  {
    legs,
    tickets,
    mct,
    inbound_delays: delays = [],
  }: Omit<z.output<typeof itineraryParams>, 'signed'>,
  at: { whole: ScoreStore; now: Date },
): Itinerary {
  checkInboundDelays(delays, legs.length);
  const settings = { hasSeparateTickets: tickets === 'separate', neededMin: mct };
  const itinerary = resolveItinerary(
    legs.map((text) => () => readLeg(text)),
    settings,
    at,
  );
  const withDelays = itinerary.legs.map((leg, place) => ({ ...leg, inboundMin: delays[place] }));
  return { ...itinerary, legs: withDelays };
}

/** Returns the assessments of the flights of a trip, in order. */
export function assessLegs({ legs }: Itinerary, deps: AssessNowDeps): Assessment[] {
  return legs.map(({ flight: { query, store }, inboundMin }) =>
    assessNow(query, store, withAircraft(inboundMin, deps)),
  );
}

/** Builds the body for a trip from the assessments of its flights. */
export function itineraryAnswer(
  itinerary: Itinerary,
  assessments: readonly Assessment[],
): ItineraryBody {
  const forecast = forecastOf(itinerary, assessments);
  return itineraryBodyOf({ itinerary, assessments, forecast });
}

/** Parses a leg such as `JFK-ORD-AA-2026-12-20T08:00-09:45`. */
function readLeg(text: string) {
  const { times, ...flight } = splitFlight(text);
  const [dep_time = '', ...arrival] = times.split('-');
  return readParams({ ...flight, dep_time, arr_time: arrival.join('-') }, legParams);
}

/** Forecasts the whole trip; undefined if a flight has no distribution of delays. */
function forecastOf(
  { legs, changes }: Itinerary,
  assessments: readonly Assessment[],
): TripForecast | undefined {
  const curves = legs.flatMap(({ flight: { query, store } }, at) => {
    const curve = flightCurve({ query, assessment: assessments[at] as Assessment, store });
    return curve ?? [];
  });
  if (curves.length < legs.length) return undefined;
  const trip = curves.map((curve, at) => ({
    curve,
    laterFlights: changes[at - 1]?.laterFlights.map(({ laterMin }) => laterMin) ?? [],
  }));
  return forecastTrip(trip, changes);
}
