import type { Endpoint } from '../openapi/endpoint.ts';
import { ENDPOINTS } from '../openapi/endpoints.ts';
import { parametersOf, type Json } from '../openapi/json-schema.ts';

/** A tool for agents: an endpoint of the API under a descriptive name. */
export type Tool = {
  name: string;
  title: string;
  description: string;
  /** Path of the endpoint that the tool calls. */
  path: string;
  /** JSON Schema of the arguments. */
  inputSchema: Json;
};

/** Names of the tools, by endpoint. Endpoints that manage keys have no tool. */
const NAMES: Readonly<Record<string, string>> = {
  '/api/score': 'score_flight',
  '/api/score/batch': 'compare_flights',
  '/api/calendar': 'score_each_day_of_month',
  '/api/airlines': 'list_airlines_of_route',
  '/api/alternatives': 'find_alternatives',
  '/api/itinerary': 'score_itinerary',
  '/api/news': 'list_news_of_route',
};

/** Returns the tools in the order of docs/api.md. If `today` is set, example dates are after this day. */
export function listTools(today?: string): Tool[] {
  return ENDPOINTS.flatMap((endpoint) => {
    const name = NAMES[endpoint.path];
    return name === undefined ? [] : [toolOf(name, endpoint, today)];
  });
}

function toolOf(name: string, endpoint: Endpoint, today: string | undefined): Tool {
  const { path, summary, description, params } = endpoint;
  // Leaves out the parameter `signed`, because the signature is a header and tools return no headers.
  const parameters = params
    ? parametersOf(params, today).filter((one) => one['name'] !== 'signed')
    : [];
  return {
    ...{ name, path, title: summary },
    description: `${summary}. ${description}`,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        parameters.map(({ name: key, description: text, schema, example }) => [
          key,
          {
            ...(schema as Json),
            ...(text !== undefined && { description: text }),
            ...(example !== undefined && { examples: [example] }),
          },
        ]),
      ),
      required: parameters.filter(({ required }) => required).map(({ name: key }) => key),
      additionalProperties: false,
    },
  };
}

/** Converts the arguments of a tool to query parameters. Lists are separated by commas, as in the API. */
export function queryOf(args: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(args)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]),
  );
}
