import type { Label } from '../../../schemas/label.ts';
import type { InferredBody } from '../brands-data.ts';

/** A flight with its score, shown as one line of the board. */
export type Departure = {
  origin: string;
  dest: string;
  airline: string;
  /** Names of the two cities. */
  from: string;
  to: string;
  airline_name: string;
  /** Hour of departure; null if the hours are unknown. */
  hour: number | null;
  score: number;
  label: Label;
  /** Probability of being late or cancelled; null without a record. */
  chance: number | null;
  /** The inferred part of the airline's record on this route. */
  inferred: InferredBody;
};

/** The data of the first page. */
export type StartData = {
  /** The current day in New York. */
  today: string;
  /** The day of the listed departures. */
  date: string;
  departures: Departure[];
  /** Number of airports with flights in the record. */
  airports: number;
  /** First and last month of the history, `YYYY-MM`. */
  months: { first: string | null; last: string | null };
};
