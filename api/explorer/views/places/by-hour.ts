import { figure, monthName, percent, weekdayName } from '../format.ts';
import type { Frame } from '../page.ts';
import { heatMap, type Slot } from './heat-map.ts';
import type { Counted, RiskGrid } from './places-data.ts';
import { scoreOfShare, THIN, troubledShare } from './shares.ts';

const SLOTS = `Smaller boxes rest on fewer than ${THIN} flights.`;

/** The record by month and hour. */
export function monthHours(grid: (Counted | null)[][], whose: string, frame: Frame) {
  return heatMap(
    {
      id: 'record-months',
      title: 'On record, by month and hour',
      note: `${whose} more than 30 minutes late or cancelled, by the local hour they leave. ${SLOTS}`,
      rows: grid.map((slots, at) => ({
        ...monthName(at, frame.locale),
        slots: slots.map((cell) => countedSlot(cell, frame.locale)),
      })),
      counted: COUNTED,
      what: 'Share of flights late or cancelled by month and hour; the table has the figures',
    },
    frame,
  );
}

/** The record by weekday and hour. */
export function weekdayHours(grid: (Counted | null)[][], whose: string, frame: Frame) {
  return heatMap(
    {
      id: 'record-weekdays',
      title: 'On record, by weekday and hour',
      note: `${whose} more than 30 minutes late, by the local hour they leave. ${SLOTS}`,
      rows: grid.map((slots, at) => ({
        ...weekdayName(at, frame.locale),
        slots: slots.map((cell) => countedSlot(cell, frame.locale)),
      })),
      counted: COUNTED,
      what: 'Share of flights late by weekday and hour; the table has the figures',
    },
    frame,
  );
}

/** What is to be expected now, by weekday or by month, and hour. */
export function usualHoursMap(
  grid: RiskGrid,
  { by, whose }: { by: 'weekday' | 'month'; whose: string },
  frame: Frame,
) {
  const nameOf = by === 'weekday' ? weekdayName : monthName;
  return heatMap(
    {
      id: `usual-${by}s`,
      title: `To be expected now, by ${by} and hour`,
      note: `What a score says of ${whose} before weather, holidays and events: the record and how late airlines and airports are lately.`,
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
            said: `${share} late or cancelled, score ${slot.score}`,
          };
        }),
      })),
      counted: ['Score', 'Share of the flights'],
      what: `Share of flights to be expected late or cancelled by ${by} and hour; the table has the figures`,
    },
    frame,
  );
}

const COUNTED = ['Flights', 'Late', 'Cancelled'];

function countedSlot(cell: Counted | null, locale: string): Slot | null {
  if (!cell || cell.flights + cell.cancelled === 0) return null;
  const share = troubledShare(cell);
  const flights = cell.flights + cell.cancelled;
  return {
    score: scoreOfShare(share),
    share,
    isThin: flights < THIN,
    counts: [flights, cell.late, cell.cancelled],
    said: `${percent(share, locale)} of ${figure(flights, locale)} flights`,
  };
}
