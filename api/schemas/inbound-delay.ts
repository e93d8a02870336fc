import { z } from 'zod';
import { RequestError } from '../errors.ts';
import { wholeNumber } from './params.ts';

const MAX_MINUTES = 1_440;

/** Delay of one flight's incoming aircraft. */
export const inboundDelayParam = wholeNumber(
  { min: 0, max: MAX_MINUTES },
  {
    description:
      'Minutes by which the incoming aircraft is expected to arrive late; 0 if it is on time or early. Known only shortly before departure.',
    example: 45,
  },
).optional();

const DELAYS_TEXT = `must be whole numbers from 0 to ${MAX_MINUTES}, separated by commas, such as 45 or ,30`;

/** Delays of the incoming aircraft, in the order of the flights; undefined where a delay is unknown. */
export const inboundDelaysParam = z
  .string()
  .regex(/^\d{0,4}(,\d{0,4})*$/, DELAYS_TEXT)
  .transform((text) => text.split(',').map((one) => (one === '' ? undefined : Number(one))))
  .refine((delays) => delays.every((delay) => delay === undefined || delay <= MAX_MINUTES), {
    error: DELAYS_TEXT,
  })
  .optional()
  .meta({
    description:
      'Minutes by which the incoming aircraft of each flight is expected to arrive late, in the order of the flights, separated by commas; empty if unknown (`,30`).',
    example: ['45'],
    wire: { type: 'array', items: { type: 'string', pattern: '^\\d{0,4}$' } },
  });

/** Throws a 400 if there are more delays than flights. */
export function checkInboundDelays(delays: readonly unknown[], flightCount: number): void {
  if (delays.length <= flightCount) return;
  throw new RequestError(
    400,
    'invalid_parameter',
    `inbound_delays has ${delays.length} values for ${flightCount} flights.`,
    { param: 'inbound_delays' },
  );
}
