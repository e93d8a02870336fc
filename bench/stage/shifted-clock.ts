/**
 * Loaded before a program (`NODE_OPTIONS=--import=…`): its clock goes ahead of ours by as many ms as the file `CLOCK_FILE` says,
 * from 20 ms after it says so.
 */
import { readFileSync } from 'node:fs';

const file = process.env['CLOCK_FILE'] ?? '';
const EVERY_MS = 20;

const RealDate = Date;
const realNow = Date.now;
let shiftMs = 0;

function look(): void {
  try {
    shiftMs = Number(readFileSync(file, 'utf8'));
  } catch {
    // It is not written yet.
  }
}

class ShiftedDate extends RealDate {
  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [ShiftedDate.now()] : given) as [number]));
  }

  static override now(): number {
    return realNow() + shiftMs;
  }
}

look();
setInterval(look, EVERY_MS).unref();
globalThis.Date = ShiftedDate as DateConstructor;
