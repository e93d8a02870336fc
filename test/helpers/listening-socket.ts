import koffi from 'koffi';
import { freePorts } from '../../bench/stage/free-ports.ts';

const [INET, STREAM, SOL_SOCKET, REUSE_ADDRESS] = [2, 1, 1, 2];
const BACKLOG = 4096;

/**
 * Opens a socket that listens on a free port of loopback and accepts no connections, like the socket of a systemd unit.
 */
export async function listeningSocket(): Promise<{ fd: number; port: number; close: () => void }> {
  const libc = koffi.load('libc.so.6');
  const socket = libc.func('int socket(int, int, int)');
  const option = libc.func('int setsockopt(int, int, int, const void *, int)');
  const bind = libc.func('int bind(int, const void *, int)');
  const listen = libc.func('int listen(int, int)');
  const close = libc.func('int close(int)');
  const [port = 0] = await freePorts(1);
  const address = Buffer.alloc(16);
  address.writeUInt16LE(INET, 0);
  address.writeUInt16BE(port, 2);
  address.set([127, 0, 0, 1], 4);
  const yes = Buffer.from([1, 0, 0, 0]);
  const fd = Number(socket(INET, STREAM, 0));
  const failed = [
    option(fd, SOL_SOCKET, REUSE_ADDRESS, yes, yes.length),
    bind(fd, address, address.length),
    listen(fd, BACKLOG),
  ].some((code) => code !== 0);
  if (fd < 0 || failed) throw new Error(`could not listen on port ${port}`);
  return { fd, port, close: () => void close(fd) };
}
