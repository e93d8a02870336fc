/**
 * Loaded before a program (`NODE_OPTIONS=--import=…`): shifts the program's clock by the milliseconds in the file
 * `CLOCK_FILE`. A change of the file takes effect within 20 ms.
 */
import { readFileSync } from 'node:fs';

const file = process.env['CLOCK_FILE'] ?? '';
const EVERY_MS = 20;

const RealDate = Date;
const realNow = Date.now;
let shiftMs = 0;

function readShift(): void {
  try {
    shiftMs = Number(readFileSync(file, 'utf8'));
  } catch {
    // The file is not written yet.
  }
}

class ShiftedDate extends RealDate {
  constructor(...args: unknown[]) {
    super(...((args.length === 0 ? [ShiftedDate.now()] : args) as [number]));
  }

  static override now(): number {
    return realNow() + shiftMs;
  }
}

readShift();
setInterval(readShift, EVERY_MS).unref();
globalThis.Date = ShiftedDate as DateConstructor;
