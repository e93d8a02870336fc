import { z } from 'zod';

/** The four labels, lowest risk first. */
export const label = z.enum(['Low', 'Moderate', 'High', 'Very High']);
