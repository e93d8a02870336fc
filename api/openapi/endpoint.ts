import type { z } from 'zod';

/** Description of one endpoint. */
export type Endpoint = {
  /** `GET` if absent. */
  method?: 'post' | 'delete';
  /** A name in braces is a parameter of the path. */
  path: string;
  /** Name of the operation; by default derived from the path. */
  id?: string;
  tag: 'Scores' | 'News' | 'Watches' | 'Keys' | 'Service';
  summary: string;
  description: string;
  /** Schema of the parameters, without `api_key`. */
  params?: z.ZodObject;
  /** Name and schema of the response body, with an example. */
  answer: { name: string; schema: z.ZodType; example: object };
  /** Kind of key that the endpoint requires. */
  key: 'any' | 'admin' | 'none';
  /** The endpoint answers 503 with its usual body while calls with a key cannot be answered. */
  isProbe?: true;
  /** Calls are not counted, so the endpoint never returns 429. */
  isFree?: true;
  /** The specification announces the endpoint, but the endpoint is available only if switched on. */
  isAnnounced?: true;
  /** Error statuses of this endpoint, in addition to the statuses of every endpoint with this kind of key. */
  refusals?: number[];
  /** Whether the response has an ETag, so that a repeated call may be answered with 304. */
  isCacheable?: true;
  /** Whether the response has the header `X-Store-Version`. */
  hasStoreVersion?: true;
};
