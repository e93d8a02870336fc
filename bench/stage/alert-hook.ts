import { createServer, type Server } from 'node:http';

/** An alert in a message of Alertmanager. */
export type Alert = { status: string; labels: { alertname: string } };

/** Listens for Alertmanager's messages; calls `onAlerts` with the alerts of each message. */
export function startAlertHook(
  { port, host }: { port: number; host: string },
  onAlerts: (alerts: Alert[]) => void,
): Server {
  return createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      onAlerts((JSON.parse(body) as { alerts: Alert[] }).alerts);
      response.end();
    });
  }).listen(port, host);
}
