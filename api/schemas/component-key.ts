import { z } from 'zod';

/** The six factors. */
export const componentKey = z
  .enum(['delay_rate', 'cancel_rate', 'congestion', 'weather', 'seasonality', 'event_risk'])
  .describe('One of the six factors.');
