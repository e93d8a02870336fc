import type { z } from 'zod';

/** Description of one endpoint. */
export type Endpoint = {
  /** `GET` if absent. */
  method?: 'post' | 'delete';
  /** Path of the endpoint. Names in braces are path parameters. */
  path: string;
  /** Name of the operation. By default, the name is derived from the path. */
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
  /** A probe answers 503 with its usual body while other endpoints are unavailable. */
  isProbe?: true;
  /** The endpoint never returns 429, because its calls are not counted. */
  isFree?: true;
  /** The specification mentions the endpoint as planned. It is available only if switched on. */
  isAnnounced?: true;
  /** Error statuses of this endpoint, in addition to those of all endpoints with this kind of key. */
  refusals?: number[];
  /** Whether the response has an ETag. A repeated call may then be answered with 304. */
  isCacheable?: true;
  /** Whether the response has the header `X-Store-Version`. */
  hasStoreVersion?: true;
};
