import type { CalendarBody } from '../../../schemas/calendar.ts';
import type { Label } from '../../../schemas/label.ts';
import type { ScoreBody } from '../../../schemas/score.ts';

/** The score with all that can be asked for beside it. */
export type FullScore = ScoreBody & {
  [Part in 'lineage' | 'outlook' | 'interval' | 'by_hour' | 'blend' | 'news']-?: Exclude<
    ScoreBody[Part],
    undefined
  >;
};

/** The flight with another airline. */
export type Rival = {
  airline: string;
  airline_name: string;
  score: number;
  label: Label;
  total_flights: number;
  /** The months of its record on the route; null where they are not known. */
  record: FullScore['lineage']['record'];
  /** Whether it has flights in the newest twelve months of the route: one without has probably left. */
  is_current: boolean;
};

/** All that the page of a flight shows. */
export type FlightData = {
  /** As `/api/score` answers with `news=true` and everything included. */
  score: FullScore;
  /** The flight on the same day at the same time with each airline that has flown the route, lowest score first. */
  rivals: Rival[];
  /** Names of the airline and airports whose newest months are known, however old the record of the flight. */
  known_now: string[];
  /** Share of its flights on the route that the airline schedules in each hour, 0 to 23; null where that is not known. */
  hours: number[] | null;
  /** The month of the flight and one beside it, as `/api/calendar` answers. */
  months: CalendarBody[];
  /** The day at the origin now, and the last that can be asked for. */
  today: string;
  last: string;
};
