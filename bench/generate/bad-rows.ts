import type { PlannedFlight } from './line.ts';

type Spoil = (line: string, flight: PlannedFlight) => string;

/** What can be wrong with a row, one thing each; every one of them is refused when the file is read. */
const SPOILS: readonly Spoil[] = [
  (line, { origin }) => line.replace(`"${origin.iata}"`, '""'),
  (line, { dest }) => line.replace(`"${dest.iata}"`, '"K9"'),
  (line, { carrier, dotId }) => line.replace(`${dotId},"${carrier}"`, `${dotId},"?"`),
  (line, { dest }) =>
    line.replace(/,"\d{4}",/.exec(afterPlaces(line, dest.columns))?.[0] ?? '', ',"2561",'),
  (line) => line.replace(/-\d\d,/, '-32,'),
  // Cut short before its first airport, where no quote is open.
  (line, { origin }) => `${line.slice(0, line.indexOf(origin.columns))}\n`,
];

/** The line with one of its values spoiled; `kind` is any whole number. */
export function spoil(line: string, flight: PlannedFlight, kind: number): string {
  return SPOILS[kind % SPOILS.length]?.(line, flight) ?? line;
}

function afterPlaces(line: string, destColumns: string): string {
  return line.slice(line.indexOf(destColumns) + destColumns.length);
}
