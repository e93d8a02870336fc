import type { Outcome } from './outcome.ts';
import type { Place } from './places.ts';

/** One flight of the timetable on one day. */
export type PlannedFlight = {
  carrier: string;
  dotId: number;
  flightNumber: number;
  tailNumber: string;
  origin: Place;
  dest: Place;
  /** Year to FlightDate, as CSV text. */
  dayColumns: string;
  /** Minutes after local midnight. */
  crsDepMin: number;
  crsElapsedMin: number;
  distanceMi: number;
  /** Where it lands when it is diverted. */
  alternate: Place;
};

const DIVERSION_COLUMNS = [1, 2, 3, 4, 5].flatMap((n) =>
  [
    'Airport',
    'AirportID',
    'AirportSeqID',
    'WheelsOn',
    'TotalGTime',
    'LongestGTime',
    'WheelsOff',
    'TailNum',
  ].map((column) => `Div${n}${column}`),
);

/** The 109 columns of `On_Time_Reporting_Carrier_On_Time_Performance`, in BTS's order. */
export const BTS_COLUMNS: readonly string[] = `
  Year Quarter Month DayofMonth DayOfWeek FlightDate
  Reporting_Airline DOT_ID_Reporting_Airline IATA_CODE_Reporting_Airline Tail_Number Flight_Number_Reporting_Airline
  OriginAirportID OriginAirportSeqID OriginCityMarketID Origin OriginCityName OriginState OriginStateFips
  OriginStateName OriginWac DestAirportID DestAirportSeqID DestCityMarketID Dest DestCityName DestState
  DestStateFips DestStateName DestWac CRSDepTime DepTime DepDelay DepDelayMinutes DepDel15 DepartureDelayGroups
  DepTimeBlk TaxiOut WheelsOff WheelsOn TaxiIn CRSArrTime ArrTime ArrDelay ArrDelayMinutes ArrDel15
  ArrivalDelayGroups ArrTimeBlk Cancelled CancellationCode Diverted CRSElapsedTime ActualElapsedTime AirTime
  Flights Distance DistanceGroup CarrierDelay WeatherDelay NASDelay SecurityDelay LateAircraftDelay FirstDepTime
  TotalAddGTime LongestAddGTime DivAirportLandings DivReachedDest DivActualElapsedTime DivArrDelay DivDistance`
  .trim()
  .split(/\s+/)
  .concat(DIVERSION_COLUMNS);

/** The header as BTS writes it: quoted, with a comma at its end that makes a column without a name. */
export const BTS_HEADER = `${BTS_COLUMNS.map((name) => `"${name}",`).join('')}\n`;

const NO_DIVERSION = '"",,,"",,,"","",';

/** The line of a flight as BTS writes it: text in quotes, minutes with two places, a comma at the end. */
export function btsLine(flight: PlannedFlight, outcome: Outcome): string {
  const { carrier, origin, dest, crsDepMin, crsElapsedMin, distanceMi } = flight;
  const { depDelayMin, arrDelayMin, diversion } = outcome;
  const isCancelled = outcome.cancellationCode !== undefined;
  const crsArrMin = crsDepMin + crsElapsedMin + dest.utcOffsetMin - origin.utcOffsetMin;
  const landedLate = arrDelayMin ?? (diversion?.reached ? diversion.arrDelayMin : undefined);
  const landed = landedLate === undefined ? undefined : crsArrMin + landedLate;
  const elapsed =
    arrDelayMin === undefined ? undefined : crsElapsedMin + arrDelayMin - (depDelayMin ?? 0);
  const inAir =
    elapsed === undefined
      ? undefined
      : Math.max(8, elapsed - outcome.taxiOutMin - outcome.taxiInMin);
  const left = depDelayMin === undefined ? undefined : crsDepMin + depDelayMin;
  // A flight cancelled early often had no plane yet.
  const tail = isCancelled && flight.flightNumber % 3 === 0 ? '' : flight.tailNumber;
  return (
    `${flight.dayColumns},"${carrier}",${flight.dotId},"${carrier}","${tail}","${flight.flightNumber}",` +
    `${origin.columns},${dest.columns},` +
    `"${crsClock(crsDepMin)}","${clock(left)}",${delayColumns(depDelayMin)},"${hourBlock(crsDepMin)}",` +
    `${left === undefined || isCancelled ? '' : `${outcome.taxiOutMin}.00`},` +
    `"${left === undefined || isCancelled ? '' : clock(left + outcome.taxiOutMin)}",` +
    `"${landed === undefined ? '' : clock(landed - outcome.taxiInMin)}",` +
    `${landed === undefined ? '' : `${outcome.taxiInMin}.00`},` +
    `"${crsClock(crsArrMin)}","${clock(landed)}",${delayColumns(arrDelayMin)},"${hourBlock(crsArrMin)}",` +
    `${isCancelled ? '1.00' : '0.00'},"${outcome.cancellationCode ?? ''}",${diversion ? '1.00' : '0.00'},` +
    `${crsElapsedMin}.00,${minutes(elapsed)},${minutes(inAir)},1.00,${distanceMi}.00,` +
    `${Math.min(11, Math.floor(distanceMi / 250) + 1)},${causes(arrDelayMin)},"",,,` +
    `${diversionColumns(flight, outcome, left)}\n`
  );
}

/** Delay, the same without early, late by 15 minutes or not, quarter of an hour from -2 to 12. */
function delayColumns(delayMin: number | undefined): string {
  if (delayMin === undefined) {
    return ',,,';
  }
  const group = Math.max(-2, Math.min(12, Math.floor(delayMin / 15)));
  return `${delayMin}.00,${Math.max(0, delayMin)}.00,${delayMin >= 15 ? '1.00' : '0.00'},${group}`;
}

/** The five causes, told for arrivals 15 minutes late or more; they add up to the delay. */
function causes(arrDelayMin: number | undefined): string {
  if (arrDelayMin === undefined || arrDelayMin < 15) {
    return ',,,,';
  }
  const carrier = Math.floor(arrDelayMin / 3);
  const air = Math.floor(arrDelayMin / 4);
  return `${carrier}.00,0.00,${air}.00,0.00,${arrDelayMin - carrier - air}.00`;
}

function diversionColumns(
  flight: PlannedFlight,
  outcome: Outcome,
  left: number | undefined,
): string {
  const { diversion } = outcome;
  if (!diversion || left === undefined) {
    return `0,,,,,${NO_DIVERSION.repeat(5)}`;
  }
  const { alternate, crsElapsedMin, tailNumber } = flight;
  const { reached, groundMin, arrDelayMin } = diversion;
  const down = left + outcome.taxiOutMin + Math.round(crsElapsedMin * 0.8);
  const onward = reached
    ? `1.00,${crsElapsedMin + arrDelayMin}.00,${arrDelayMin}.00,0.00`
    : '0.00,,,112.00';
  return (
    `1,${onward},"${alternate.iata}",${alternate.airportId},${alternate.airportId}02,"${clock(down)}",` +
    `${groundMin}.00,${groundMin}.00,"${reached ? clock(down + groundMin) : ''}","${reached ? tailNumber : ''}",` +
    NO_DIVERSION.repeat(4)
  );
}

function minutes(value: number | undefined): string {
  return value === undefined ? '' : `${value}.00`;
}

/** Local time as hhmm. What happened at midnight BTS writes as 2400; the timetable never says midnight. */
function clock(minute: number | undefined): string {
  if (minute === undefined) {
    return '';
  }
  return hhmm(minute) === '0000' ? '2400' : hhmm(minute);
}

function crsClock(minute: number): string {
  return hhmm(minute) === '0000' ? '0001' : hhmm(minute);
}

function hhmm(minute: number): string {
  const ofDay = ((minute % 1440) + 1440) % 1440;
  return String(Math.floor(ofDay / 60) * 100 + (ofDay % 60)).padStart(4, '0');
}

function hourBlock(minute: number): string {
  const hour = hhmm(minute).slice(0, 2);
  return hour < '06' ? '0001-0559' : `${hour}00-${hour}59`;
}
