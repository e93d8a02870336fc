import type { Outcome } from './outcome.ts';
import type { Place } from './places.ts';

/** A flight of the timetable on one day. */
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
  /** The airport where a diverted flight lands. */
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

/** BTS's header: quoted names, and a final comma that makes a column without a name. */
export const BTS_HEADER = `${BTS_COLUMNS.map((name) => `"${name}",`).join('')}\n`;

const NO_DIVERSION = '"",,,"",,,"","",';

/** Returns the line of a flight in the format of BTS: text in quotes, minutes with two decimals, a comma at the end. */
export function btsLine(flight: PlannedFlight, outcome: Outcome): string {
  const { carrier, origin, dest, crsDepMin, crsElapsedMin, distanceMi } = flight;
  const { depDelayMin, arrDelayMin, diversion } = outcome;
  const isCancelled = outcome.cancellationCode !== undefined;
  const crsArrMin = crsDepMin + crsElapsedMin + dest.utcOffsetMin - origin.utcOffsetMin;
  const landingDelayMin =
    arrDelayMin ?? (diversion?.hasReachedDest ? diversion.arrDelayMin : undefined);
  const landingMin = landingDelayMin === undefined ? undefined : crsArrMin + landingDelayMin;
  const elapsedMin =
    arrDelayMin === undefined ? undefined : crsElapsedMin + arrDelayMin - (depDelayMin ?? 0);
  const airborneMin =
    elapsedMin === undefined
      ? undefined
      : Math.max(8, elapsedMin - outcome.taxiOutMin - outcome.taxiInMin);
  const departureMin = depDelayMin === undefined ? undefined : crsDepMin + depDelayMin;
  // A flight that is cancelled early often has no aircraft yet.
  const tailColumn = isCancelled && flight.flightNumber % 3 === 0 ? '' : flight.tailNumber;
  return (
    `${flight.dayColumns},"${carrier}",${flight.dotId},"${carrier}","${tailColumn}","${flight.flightNumber}",` +
    `${origin.columns},${dest.columns},` +
    `"${formatCrsClock(crsDepMin)}","${formatClock(departureMin)}",${delayColumns(depDelayMin)},"${hourBlock(crsDepMin)}",` +
    `${departureMin === undefined || isCancelled ? '' : `${outcome.taxiOutMin}.00`},` +
    `"${departureMin === undefined || isCancelled ? '' : formatClock(departureMin + outcome.taxiOutMin)}",` +
    `"${landingMin === undefined ? '' : formatClock(landingMin - outcome.taxiInMin)}",` +
    `${landingMin === undefined ? '' : `${outcome.taxiInMin}.00`},` +
    `"${formatCrsClock(crsArrMin)}","${formatClock(landingMin)}",${delayColumns(arrDelayMin)},"${hourBlock(crsArrMin)}",` +
    `${isCancelled ? '1.00' : '0.00'},"${outcome.cancellationCode ?? ''}",${diversion ? '1.00' : '0.00'},` +
    `${crsElapsedMin}.00,${formatMinutes(elapsedMin)},${formatMinutes(airborneMin)},1.00,${distanceMi}.00,` +
    `${Math.min(11, Math.floor(distanceMi / 250) + 1)},${causeColumns(arrDelayMin)},"",,,` +
    `${diversionColumns(flight, outcome, departureMin)}\n`
  );
}

/**
 * Returns the columns of a delay: the minutes (negative if early), the minutes again with 0 if early, whether the delay
 * is 15 minutes or more, and the delay in quarter hours from -2 to 12.
 */
function delayColumns(delayMin: number | undefined): string {
  if (delayMin === undefined) {
    return ',,,';
  }
  const group = Math.max(-2, Math.min(12, Math.floor(delayMin / 15)));
  return `${delayMin}.00,${Math.max(0, delayMin)}.00,${delayMin >= 15 ? '1.00' : '0.00'},${group}`;
}

/**
 * Returns the columns of the five causes of a delay. They are filled only for arrivals that are 15 minutes late or
 * more. The causes add up to the delay.
 */
function causeColumns(arrDelayMin: number | undefined): string {
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
  const { hasReachedDest, groundMin, arrDelayMin } = diversion;
  const firstLandingMin = left + outcome.taxiOutMin + Math.round(crsElapsedMin * 0.8);
  const onwardColumns = hasReachedDest
    ? `1.00,${crsElapsedMin + arrDelayMin}.00,${arrDelayMin}.00,0.00`
    : '0.00,,,112.00';
  return (
    `1,${onwardColumns},"${alternate.iata}",${alternate.airportId},${alternate.airportId}02,"${formatClock(firstLandingMin)}",` +
    `${groundMin}.00,${groundMin}.00,"${hasReachedDest ? formatClock(firstLandingMin + groundMin) : ''}","${hasReachedDest ? tailNumber : ''}",` +
    NO_DIVERSION.repeat(4)
  );
}

function formatMinutes(value: number | undefined): string {
  return value === undefined ? '' : `${value}.00`;
}

/** Formats a local time as hhmm. BTS writes actual times at midnight as 2400; scheduled times are never midnight. */
function formatClock(minute: number | undefined): string {
  if (minute === undefined) {
    return '';
  }
  return formatHhmm(minute) === '0000' ? '2400' : formatHhmm(minute);
}

function formatCrsClock(minute: number): string {
  return formatHhmm(minute) === '0000' ? '0001' : formatHhmm(minute);
}

function formatHhmm(minute: number): string {
  const dayMinute = ((minute % 1440) + 1440) % 1440;
  return String(Math.floor(dayMinute / 60) * 100 + (dayMinute % 60)).padStart(4, '0');
}

function hourBlock(minute: number): string {
  const hour = formatHhmm(minute).slice(0, 2);
  return hour < '06' ? '0001-0559' : `${hour}00-${hour}59`;
}
