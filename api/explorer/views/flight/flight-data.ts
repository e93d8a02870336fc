import type { CalendarBody } from '../../../schemas/calendar.ts';
import type { Label } from '../../../schemas/label.ts';
import type { InferredBody, OperatorBody, SellerBody } from '../brands-data.ts';
import type { ScoreBody } from '../../../schemas/score.ts';
import type { Flight } from './address.ts';

/** The score with all optional parts included. */
export type FullScore = ScoreBody & {
  [
    Part in
      | 'lineage'
      | 'outlook'
      | 'interval'
      | 'by_hour'
      | 'blend'
      | 'drivers'
      | 'operators'
      | 'news'
  ]-?: Exclude<ScoreBody[Part], undefined>;
};

/** The same flight with an airline of the route. */
export type Rival = {
  airline: string;
  airline_name: string;
  score: number;
  label: Label;
  total_flights: number;
  /** First and last month of the airline's record on the route; null if unknown. */
  record: FullScore['lineage']['record'];
  /**
   * Whether the airline has flights in the newest twelve months of the route's record. If not, the airline has probably
   * left the route.
   */
  is_current: boolean;
  /** Who operates the flights; empty if the airline operates all of them itself. */
  operators: OperatorBody[];
  inferred: InferredBody;
};

/** An alternative with a clearly lower score. */
export type BetterFlight = {
  /** The change from the page's flight. */
  change: 'hour' | 'airline' | 'day' | 'airports';
  origin: string;
  dest: string;
  airline: string;
  airline_name: string;
  record: Rival['record'];
  date: string;
  depTime?: string;
  score: number;
  /** Probability of being late or cancelled, 0 to 1; null without a record. */
  share: number | null;
};

/** The data of a flight page. */
export type FlightData = {
  /** Answer of `/api/score` with `news=true` and all optional parts. */
  score: FullScore;
  /** The flight on the same day and hour with each airline in the route's record, lowest score first. */
  rivals: Rival[];
  /** The other airlines that sell this airline's flights. */
  sellers: SellerBody[];
  /** The best alternative for each kind of change, largest gain first. */
  better: BetterFlight[];
  /** Other pairs of airports of the same two cities, each with an airline that flies between them. */
  other_pairs: { origin: string; dest: string; airline: string }[];
  /**
   * Figures about related flights: from and to these airports, and of this airline. Each figure names the provider of
   * the record that it comes from. Empty if the route has a record.
   */
  elsewhere: {
    name: string;
    provider: string;
    /** Name of the provider. */
    source: string;
    flights: number;
    late_share: number;
  }[];
  /** Country of both airports if a record has flights from both airports, but none on this route; otherwise null. */
  covering_country: string | null;
  /**
   * The airline's name and the airports' codes, each only if the newest delay-cause months include the airline or
   * airport.
   */
  known_now: string[];
  /** Share of each departure hour (0 to 23) in the airline's flights on the route; null if unknown. */
  hours: number[] | null;
  /** The calendars of the flight's month and of a neighbouring month, as in `/api/calendar`. */
  months: CalendarBody[];
  /** The current day at the origin, and the last day that can be scored. */
  today: string;
  last: string;
};

/** Returns the flight that the data describe. */
export function flightOf({ score }: { score: Pick<FlightData['score'], 'input'> }): Flight {
  const { origin, destination, airline, flight_date, dep_time } = score.input;
  return { origin, dest: destination, airline, date: flight_date, depTime: dep_time };
}
