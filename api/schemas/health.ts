import { z } from 'zod';

const part = z.enum(['ok', 'unavailable']);

/** Answer of `/api/health`. `database` is the score store and Redis together. */
export const healthBody = z.strictObject({
  status: z.enum(['ok', 'degraded', 'error']),
  time: z.iso.datetime(),
  components: z.strictObject({ api: part, database: part, ml_model: part }),
});

export type HealthBody = z.infer<typeof healthBody>;
