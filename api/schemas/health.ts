import { z } from 'zod';

const part = z.enum(['ok', 'unavailable']);

const month = z
  .string()
  .regex(/^\d{4}-\d{2}$/)
  .nullable();

/** Which part of the history is too old. */
const history = z.enum(['ok', 'old_flights', 'old_levels', 'old', 'unavailable']);

/** Answer of `/api/health`. `database` is the score store and Redis together. */
export const healthBody = z.strictObject({
  status: z.enum(['ok', 'degraded', 'error']),
  time: z.iso.datetime(),
  components: z.strictObject({ api: part, database: part, ml_model: part, history }),
  /** Newest months (`YYYY-MM`) of flights, and of the monthly table that tells how late airlines and airports are. */
  history: z.strictObject({ flights_until: month, levels_until: month }),
});

export type HealthBody = z.infer<typeof healthBody>;
