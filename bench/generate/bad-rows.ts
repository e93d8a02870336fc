import type { PlannedFlight } from './line.ts';

type Corrupt = (line: string, flight: PlannedFlight) => string;

/** Functions that corrupt a row. Each corrupted row is rejected when the file is read. */
const CORRUPTIONS: readonly Corrupt[] = [
  (line, { origin }) => line.replace(`"${origin.iata}"`, '""'),
  (line, { dest }) => line.replace(`"${dest.iata}"`, '"K9"'),
  (line, { carrier, dotId }) => line.replace(`${dotId},"${carrier}"`, `${dotId},"?"`),
  (line, { dest }) =>
    line.replace(/,"\d{4}",/.exec(afterPlaces(line, dest.columns))?.[0] ?? '', ',"2561",'),
  (line) => line.replace(/-\d\d,/, '-32,'),
  // Cuts the row before its first airport, where no quoted text is open.
  (line, { origin }) => `${line.slice(0, line.indexOf(origin.columns))}\n`,
];

/** Returns the line with one corrupted value; `kind` is any whole number. */
export function corruptLine(line: string, flight: PlannedFlight, kind: number): string {
  return CORRUPTIONS[kind % CORRUPTIONS.length]?.(line, flight) ?? line;
}

function afterPlaces(line: string, destColumns: string): string {
  return line.slice(line.indexOf(destColumns) + destColumns.length);
}
