import { flightCount, monthName, percent, weekdayName } from '../format.ts';
import type { Frame } from '../page.ts';
import { heatMap, type Slot } from './heat-map.ts';
import type { FlightCounts, RiskGrid } from './places-data.ts';
import { scoreOfShare, MIN_FLIGHTS, disruptedShare } from './shares.ts';

const SLOTS_NOTE = `Smaller boxes: fewer than ${MIN_FLIGHTS} flights.`;

/** A heat map of the record by month and hour. */
export function monthHours(grid: (FlightCounts | null)[][], flightsName: string, frame: Frame) {
  return heatMap(
    {
      id: 'record-months',
      title: 'On record, by month and hour',
      note: `${flightsName} more than 30 minutes late or cancelled, by local departure hour. ${SLOTS_NOTE}`,
      rows: grid.map((slots, at) => ({
        ...monthName(at, frame.locale),
        slots: slots.map((cell) => countedSlot(cell, frame.locale)),
      })),
      countColumns: COUNT_COLUMNS,
      description:
        'Share of flights late or cancelled by month and hour; see the table for figures',
    },
    frame,
  );
}

/** A heat map of the record by weekday and hour. */
export function weekdayHours(grid: (FlightCounts | null)[][], flightsName: string, frame: Frame) {
  return heatMap(
    {
      id: 'record-weekdays',
      title: 'On record, by weekday and hour',
      note: `${flightsName} more than 30 minutes late or cancelled, by local departure hour. ${SLOTS_NOTE}`,
      rows: grid.map((slots, at) => ({
        ...weekdayName(at, frame.locale),
        slots: slots.map((cell) => countedSlot(cell, frame.locale)),
      })),
      countColumns: COUNT_COLUMNS,
      description:
        'Share of flights late or cancelled by weekday and hour; see the table for figures',
    },
    frame,
  );
}

/** A heat map of the usual risk by hour, and by weekday or month. */
export function usualHoursMap(
  grid: RiskGrid,
  { by, flightsName }: { by: 'weekday' | 'month'; flightsName: string },
  frame: Frame,
) {
  const nameOf = by === 'weekday' ? weekdayName : monthName;
  return heatMap(
    {
      id: `usual-${by}s`,
      title: `Usual risk, by ${by} and hour`,
      note: `Expected share of ${flightsName} that are late or cancelled. Weather, holidays and events are left out, so the page of a single flight may show another percentage.`,
      rows: grid.map((slots, at) => ({
        ...nameOf(at, frame.locale),
        slots: slots.map((slot) => {
          if (!slot) return null;
          const share = percent(slot.share, frame.locale);
          return {
            score: slot.score,
            share: slot.share,
            isThin: false,
            counts: [slot.score, percent(slot.flights, frame.locale)],
            text: `${share} late or cancelled, score ${slot.score}`,
          };
        }),
      })),
      countColumns: ['Score', 'Share of flights'],
      description: `Share of flights expected late or cancelled by ${by} and hour; see the table for figures`,
    },
    frame,
  );
}

const COUNT_COLUMNS = ['Flights', 'Late', 'Cancelled'];

function countedSlot(cell: FlightCounts | null, locale: string): Slot | null {
  if (!cell || cell.flights + cell.cancelled === 0) return null;
  const share = disruptedShare(cell);
  const flights = cell.flights + cell.cancelled;
  return {
    score: scoreOfShare(share),
    share,
    isThin: flights < MIN_FLIGHTS,
    counts: [flights, cell.late, cell.cancelled],
    text: `${percent(share, locale)} of ${flightCount(flights, locale)}`,
  };
}
