import { connect } from 'node:tls';
import { DAY_MS } from '../../../warehouse/ground/dates.ts';
import type { JobsConfig } from '../../config.ts';
import { doubtfulFinding, okFinding, type Finding } from './finding.ts';

/** Returns when the certificate of a host expires; rejects if no trusted connection can be made. */
export type CertificateEnd = (host: string, port: number) => Promise<Date>;

const SOON_DAYS = 14;
const PATIENCE_MS = 5_000;

/** Checks whether the upstream servers can be reached over trusted TLS, and when their certificates expire. */
export async function upstreamFindings(
  config: JobsConfig,
  certificateEnd: CertificateEnd,
  now: Date,
): Promise<Finding[]> {
  if (config.offline) return [okFinding('upstreams', 'not used, as OFFLINE=1 is set')];
  const hosts = new Map(
    upstreamsOf(config).flatMap(([name, text]) => {
      const { protocol, hostname, port } = new URL(text);
      return protocol === 'https:' ? [[`${hostname}:${port || 443}`, name] as const] : [];
    }),
  );
  return Promise.all(
    [...hosts].map(async ([place, setting]) => {
      const what = `certificate of ${place}`;
      const [host = '', port] = place.split(/:(?=\d+$)/);
      try {
        const days =
          ((await certificateEnd(host, Number(port))).getTime() - now.getTime()) / DAY_MS;
        const text = `expires in ${Math.floor(days)} days`;
        const help =
          'ask the operator of the server to renew it; after it expires, nothing is fetched from there';
        return days < SOON_DAYS ? doubtfulFinding(what, text, help) : okFinding(what, text);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return doubtfulFinding(what, why, `check the network of this machine, and ${setting}`);
      }
    }),
  );
}

/** Lists the upstream addresses by setting. Addresses may contain secrets, so findings name only the host. */
function upstreamsOf(config: JobsConfig): [string, string][] {
  const { btsBaseUrl, weatherForecastUrl, weatherArchiveUrl, nasStatusUrl, llm, notify } = config;
  const addresses: [string, string | undefined][] = [
    ['BTS_BASE_URL', btsBaseUrl],
    ['WEATHER_FORECAST_URL', weatherForecastUrl],
    ['WEATHER_ARCHIVE_URL', weatherArchiveUrl],
    ['NAS_STATUS_URL', nasStatusUrl],
    ['LLM_BASE_URL', llm?.baseUrl],
    ['NOTIFY_URL', notify?.url],
  ];
  return addresses.filter((entry): entry is [string, string] => entry[1] !== undefined);
}

/** Connects to the host and reads when its certificate expires. */
export function certificateEnd(host: string, port: number): Promise<Date> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, servername: host }, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to));
      socket.destroy();
    });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('no answer in 5 s')));
    socket.on('error', reject);
  });
}
