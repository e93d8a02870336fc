import { connect } from 'node:tls';
import { DAY_MS } from '../../../warehouse/ground/dates.ts';
import type { JobsConfig } from '../../config.ts';
import { doubtful, well, type Finding } from './finding.ts';

/** When the certificate of a host ends; rejects when there is no connection to it that can be trusted. */
export type CertificateEnd = (host: string, port: number) => Promise<Date>;

const SOON_DAYS = 14;
const PATIENCE_MS = 5_000;

/** Whether those whom we ask can be reached over TLS that is trusted, and how long their certificates last. */
export async function upstreamFindings(
  config: JobsConfig,
  certificateEnd: CertificateEnd,
  now: Date,
): Promise<Finding[]> {
  if (config.offline) return [well('upstreams', 'none is asked: OFFLINE=1')];
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
        const text = `${Math.floor(days)} days left`;
        return days < SOON_DAYS
          ? doubtful(what, text, 'whoever runs that server; nothing is fetched once it has ended')
          : well(what, text);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        return doubtful(what, why, `the way out of this machine, and ${setting}`);
      }
    }),
  );
}

/** Whom we ask, by the setting that says so. Addresses may hold secrets: of them only the host is told. */
function upstreamsOf(config: JobsConfig): [string, string][] {
  const { btsBaseUrl, weatherForecastUrl, weatherArchiveUrl, nasStatusUrl, llm, notify } = config;
  const named: [string, string | undefined][] = [
    ['BTS_BASE_URL', btsBaseUrl],
    ['WEATHER_FORECAST_URL', weatherForecastUrl],
    ['WEATHER_ARCHIVE_URL', weatherArchiveUrl],
    ['NAS_STATUS_URL', nasStatusUrl],
    ['LLM_BASE_URL', llm?.baseUrl],
    ['NOTIFY_URL', notify?.url],
  ];
  return named.filter((one): one is [string, string] => one[1] !== undefined);
}

/** Asks the host itself. */
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
