import type { Call } from '../call.ts';
import { RequestError } from '../errors.ts';

/** Returns the parameter `api_key`. Throws a 401 if the parameter is missing, and a 400 if it is repeated. */
export function readApiKey(call: Call): string {
  const apiKey = call.query['api_key'];
  if (apiKey === undefined || apiKey === '') {
    throw new RequestError(401, 'missing_api_key', missingKeyMessage(call));
  }
  if (Array.isArray(apiKey)) {
    throw new RequestError(400, 'invalid_parameter', 'api_key is present more than once.', {
      param: 'api_key',
    });
  }
  return apiKey;
}

/** Headers in which callers may send a key by mistake, because other services expect keys there. */
const KEY_HEADERS = ['Authorization', 'X-API-Key'];

function missingKeyMessage(call: Call): string {
  const header = KEY_HEADERS.find((name) => call.get(name) !== '');
  const notice = header === undefined ? '' : `Keys in the header ${header} are not accepted. `;
  return `${notice}Send your API key as the parameter api_key.`;
}
