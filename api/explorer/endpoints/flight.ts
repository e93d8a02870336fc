import { routeAirlines } from '../../../models/current-airlines.ts';
import { soldAirlines, type SoldAirline } from '../../../models/sold-airlines.ts';
import { asOperator, departuresOf } from '../../../models/brands.ts';
import type { Assessment, FlightQuery } from '../../../models/types.ts';
import type { ScoreStore } from '../../../warehouse/store/types.ts';
import type { ApiDeps } from '../../deps.ts';
import { hourScorer, includedPartsOf } from '../../presenters/include.ts';
import { scoreAnswer } from '../../routes/score.ts';
import type { Include } from '../../schemas/include.ts';
import { readParams } from '../../schemas/params.ts';
import type { ScoreBody } from '../../schemas/score.ts';
import { assessNow } from '../../scoring/assess.ts';
import { scorableDates, type KnownFlight } from '../../scoring/flight-query.ts';
import { HOURS } from '../../../warehouse/ground/hours.ts';
import type { FlightData, FullScore, Rival } from '../views/flight/flight-data.ts';
import type { Endpoint } from '../endpoint.ts';
import { betterFlights } from './better-flights.ts';
import { monthsOf } from './flight-months.ts';
import { coveringCountry, elsewhereOf } from './elsewhere.ts';
import { chooseAirline, enteredFlight, resolveEntered } from './entered-flight.ts';
import { currentStore } from '../../scoring/current-store.ts';
import { withoutNumber } from './numbered-flight.ts';
import { otherPairs } from './named-airports.ts';
import { inferredBody, operatorsOn, sellerBodies } from './sold.ts';
import { mapInSlices } from './time-slices.ts';
import { memoizeLive } from './memoize-live.ts';

/** Data of the page of a flight. Airports may be entered by code, city or name. The other fields are optional. */
export const flightEndpoint: Endpoint = {
  path: '/explorer/flight',
  restsOn: 'now',
  // The page shows other hours, days and airlines too, but counts as one flight.
  flights: () => 1,
  answer: async (query, deps): Promise<FlightData> => {
    const whole = currentStore(deps.stores);
    const input = readParams(withoutNumber(query, whole), enteredFlight);
    const { flight, route, today } = await resolveEntered(input, deps, whole);
    const { store } = flight;
    const { score, ...figures } = await readFigures(flight, { route, store, deps });
    const by_hour = await scoresByHour(flight, store, deps);
    const months = await monthsOf(flight, store, deps);
    const { last } = scorableDates(flight.origin, deps.now());
    return { score: { ...score, by_hour }, ...figures, months, today, last };
  },
};

type FlightFigures = Omit<FlightData, 'score' | 'months' | 'today' | 'last'> & {
  assessment: Assessment;
  score: ScoreBody;
};

/** Returns the figures of the page without the scores of the 24 hours. All figures except ages are cached. */
async function readFigures(
  flight: KnownFlight,
  { route, store, deps }: { route: () => SoldAirline[]; store: ScoreStore; deps: ApiDeps },
) {
  const { origin, dest, carrier, flightDate } = flight.query;
  const keyParts = ['flight', origin, dest, carrier, flightDate, flight.depTime];
  const figures = await memoizeLive(keyParts, { store, deps }, async () => {
    const airlines = route();
    const rivals = await rivalsOf(flight, airlines, { store, deps });
    const assessment = assessNow(flight.query, store, deps);
    const score = scoreAnswer({ flight, withNews: true, include: [...STABLE_PARTS] }, deps);
    const [known_now, hours] = [coveredNames(flight, store), hourSharesOf(flight, store)];
    const { better, ...compared } = await betterFlights(flight, assessment, { store, deps });
    const other_pairs = pairsToOffer(flight, store);
    const elsewhere = assessment.tier === 'no_data' ? elsewhereOf(flight, store) : [];
    const covering_country = assessment.tier === 'no_data' ? coveringCountry(flight, store) : null;
    const answer: FlightFigures = {
      ...{ assessment, score, rivals, better, other_pairs, elsewhere, known_now, hours },
      ...{ sellers: sellerBodies(carrier, store), covering_country },
    };
    const isAffected = [carrier, ...airlines.map((one) => one.carrier)].some((one) =>
      isAffectedByEvents({ ...flight.query, carrier: one }, store, deps),
    );
    return { answer, hasEvents: isAffected || compared.hasEvents };
  });
  const { assessment, score, ...remaining } = figures;
  const ages = includedPartsOf({ include: ['lineage'] }, { flight, assessment, store }, deps);
  return { score: { ...score, ...ages } as Omit<FullScore, 'by_hour'>, ...remaining };
}

/**
 * The optional parts of the score that are cached together with the score. `lineage` contains ages, so it is not
 * cached. `by_hour` has its own cache.
 */
const STABLE_PARTS = [
  'outlook',
  'interval',
  'blend',
  'drivers',
  'operators',
] as const satisfies Include[];

/** Returns whether current events affect the score of the flight. */
function isAffectedByEvents(query: FlightQuery, store: ScoreStore, deps: ApiDeps): boolean {
  return deps.liveInputs(query, store).danger !== undefined;
}

async function scoresByHour(flight: KnownFlight, store: ScoreStore, deps: ApiDeps) {
  const { origin, dest, carrier, flightDate } = flight.query;
  const keyParts = ['hours', origin, dest, carrier, flightDate];
  return memoizeLive(keyParts, { store, deps }, async () => ({
    answer: await mapInSlices(HOURS, hourScorer({ flight, store }, deps)),
    // Events affect whole days, so one check is enough for all 24 hours.
    hasEvents: isAffectedByEvents(flight.query, store, deps),
  }));
}

async function rivalsOf(
  { query }: KnownFlight,
  route: SoldAirline[],
  { store, deps }: { store: ScoreStore; deps: ApiDeps },
): Promise<Rival[]> {
  const all = [...route, ...operatorAsked(query, route, store)];
  const rivals = await mapInSlices(
    all,
    ({ carrier, flightCount, record, isCurrent, brand }): Rival => {
      const sold = { ...asOperator(query), carrier, ...(brand && { isBrand: true as const }) };
      const { score, label } = assessNow(sold, store, deps);
      return {
        airline: carrier,
        airline_name: store.airline(carrier)?.name ?? carrier,
        score,
        label,
        total_flights: flightCount,
        record,
        is_current: isCurrent,
        operators: operatorsOn(sold, store),
        inferred: brand ? inferredBody(brand) : null,
      };
    },
  );
  return rivals.toSorted((a, b) => a.score - b.score || (a.airline < b.airline ? -1 : 1));
}

/**
 * Returns a list with the flight's airline if this airline operates flights on the route but sells none there.
 * Otherwise, the list is empty.
 */
function operatorAsked(query: FlightQuery, route: SoldAirline[], store: ScoreStore): SoldAirline[] {
  if (route.some(({ carrier }) => carrier === query.carrier)) return [];
  return routeAirlines(query.origin, query.dest, store).filter(
    ({ carrier }) => carrier === query.carrier,
  );
}

/**
 * Returns other airport pairs between the same two cities, each with one airline. If the flight's airline flies between
 * the two airports, the pair gets this airline. Otherwise, the pair gets the airline with the most flights.
 */
function pairsToOffer({ query }: KnownFlight, store: ScoreStore): FlightData['other_pairs'] {
  return otherPairs(query, query.carrier, store).map(({ origin, dest }) => {
    const preferred = query.carrier;
    const route = soldAirlines(origin, dest, store);
    return { origin, dest, airline: chooseAirline({ origin, dest, preferred }, route, store) };
  });
}

/**
 * Returns the name of the flight's airline and the codes of its airports. Leaves out names and codes that have no
 * months in the delay-cause table.
 */
function coveredNames({ origin, dest, airline }: KnownFlight, store: ScoreStore): string[] {
  const all = [
    { name: airline.name, recent: store.recentMonths('carrier', airline.iata) },
    { name: origin.iata, recent: store.recentMonths('dest', origin.iata) },
    { name: dest.iata, recent: store.recentMonths('dest', dest.iata) },
  ];
  return all.flatMap(({ name, recent }) => (recent.length > 0 ? [name] : []));
}

/** Returns the share of each departure hour in the airline's flights on the route. */
function hourSharesOf({ query }: KnownFlight, store: ScoreStore): number[] | null {
  const flights = departuresOf(query, store);
  const all = flights?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (!flights || all === 0) return null;
  return Array.from(flights, (count) => Math.round((1e4 * count) / all) / 1e4);
}
