/**
 * A leg of a flight number, taken from the newest month that has flights of this number. Times are local, `HH:MM`;
 * absent if unknown.
 */
export type NumberedLeg = {
  origin: string;
  dest: string;
  /** The airline that usually operates the leg. */
  carrier: string;
  depTime?: string;
  arrTime?: string;
  /** Flights of the leg in the last two weeks in which the number was flown. */
  flightCount: number;
};

/** Schedule of a flight number. `month` (`YYYY-MM`) is the newest month that has flights of this number. */
export type NumberSchedule = { month: string; legs: NumberedLeg[] };

/** A leg in `newestMonth`, with its flight number. */
export type NumberedFlight = NumberedLeg & { number: number };

/** The flight numbers of a record. */
export type FlightNumbers = {
  /** Returns the schedule of an airline's number, most frequent leg first; undefined for an unknown number. */
  find: (airline: string, number: number) => NumberSchedule | undefined;
  /** Returns the legs of an airline's numbers on a route in `newestMonth`, in the order of the numbers. */
  onRoute: (airline: string, origin: string, dest: string) => NumberedFlight[];
  /** The newest month in which any number has flights, `YYYY-MM`; undefined without numbers. */
  newestMonth: string | undefined;
};
