import { createServer, type Server } from 'node:http';

/** An alert as Alertmanager tells of it. */
export type Alert = { status: string; labels: { alertname: string } };

/** Listens where Alertmanager is told to send what fires and clears; `heard` is called with the alerts of each message. */
export function startAlertHook(
  { port, host }: { port: number; host: string },
  heard: (alerts: Alert[]) => void,
): Server {
  return createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      heard((JSON.parse(body) as { alerts: Alert[] }).alerts);
      response.end();
    });
  }).listen(port, host);
}
