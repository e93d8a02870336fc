import { ENDPOINTS } from './endpoints.ts';

/**
 * Returns the text of `/llms.txt`, in the format of llmstxt.org. The text tells AI agents what the service does and
 * where its interface is described.
 */
export function llmsText(): string {
  return [
    '# Headwind',
    '',
    '> The risk that a flight arrives more than 30 minutes late or is cancelled, from historical flights, weather and news.',
    '',
    'Every call has its parameters in the query string and needs an API key in `api_key`. Airports and airlines are ' +
      'IATA codes, dates are `YYYY-MM-DD`, times are local. For agents, the functions are also tools of the Model Context ' +
      'Protocol: `POST /mcp` (Streamable HTTP), with the key in `Authorization: Bearer YOUR_KEY`.',
    '',
    '## Interface',
    '',
    '- [OpenAPI](/openapi.json): every endpoint, parameter, response and error',
    '- [Documentation](/docs): the same for people, with examples',
    '- [Model](/model): how reliable the scores are on months that the model has not seen',
    '- [Record](/record): past forecasts compared with the actual flights; the data are at `/api/record`, without a key',
    '- [Data](/data): the forecasts of a month for every airline, route and hour, as signed Parquet and CSV files',
    '',
    '## Endpoints',
    '',
    ...ENDPOINTS.map(
      ({ method = 'get', path, summary, description }) =>
        `- \`${method === 'get' ? path : `${method.toUpperCase()} ${path}`}\`: ${summary}. ${description}`,
    ),
    '',
  ].join('\n');
}
