import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The process that systemd would start for a unit of `deploy/systemd`. */
export type Unit = { command: string[]; environment: Record<string, string>; cwd: string };

/** Reads a unit; `%S` and `%t` become these folders, and `/opt/headwind` becomes this checkout. */
export function readUnit(name: string, folders: { state: string; run: string }): Unit {
  const text = readFileSync(`${ROOT}/deploy/systemd/${name}`, 'utf8')
    .replaceAll('%S', folders.state)
    .replaceAll('%t', folders.run)
    .replaceAll('/opt/headwind', ROOT.replace(/\/$/, ''));
  const values = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const [start = ''] = values('ExecStart');
  const pairs = values('Environment').map((pair) => pair.split('=') as [string, string]);
  return {
    command: [...start.matchAll(/"([^"]*)"|(\S+)/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    ),
    environment: Object.fromEntries(pairs),
    cwd: values('WorkingDirectory')[0] ?? folders.state,
  };
}

/** Starts the command of a unit. Passes the socket, if there is one, to the command as systemd does. */
export function startUnit(
  { command, environment, cwd }: Unit,
  more: Record<string, string> = {},
  socket?: { fd: number },
): ChildProcess {
  const { PATH } = process.env;
  const env = { PATH, ...environment, ...more };
  if (!socket) {
    const [program = '', ...args] = command;
    return spawn(program, args, { cwd, env, stdio: 'ignore', detached: true });
  }
  const script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"';
  return spawn('sh', ['-c', script, 'sh', ...command], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'ignore', socket.fd],
    detached: true,
  });
}
