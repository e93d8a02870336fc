import type { Label } from '../../../schemas/label.ts';

/** A flight with its score, as a line of a board. */
export type Departure = {
  origin: string;
  dest: string;
  airline: string;
  /** Cities, and the name of the airline. */
  from: string;
  to: string;
  airline_name: string;
  score: number;
  label: Label;
};

/** What the first page shows. */
export type StartData = {
  /** In New York. */
  today: string;
  /** The day of the departures. */
  date: string;
  departures: Departure[];
  /** Airports with flights in the history. */
  airports: number;
  /** Of the history, `YYYY-MM`. */
  months: { first: string | null; last: string | null };
};
