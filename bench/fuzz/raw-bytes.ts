import fc, { type Arbitrary } from 'fast-check';

type Make = (target: string) => string;

const HOST = 'Host: fuzz\r\n';
const CLOSE = 'Connection: close\r\n';

/** Malformed HTTP requests for a target: bad framing, smuggling, truncation and noise. */
export const rawBytes: Arbitrary<Make> = fc.oneof(
  fc.constantFrom<Make[]>(
    // Conflicting lengths of the body.
    (target) =>
      `POST ${target} HTTP/1.1\r\n${HOST}Content-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG`,
    (target) =>
      `POST ${target} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n5c\r\nGPOST / HTTP/1.1\r\n\r\n0\r\n\r\n`,
    (target) =>
      `GET ${target} HTTP/1.1\r\n${HOST}Content-Length: 4\r\nContent-Length: 9\r\n\r\nabcd`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}Content-Length: 99999999999999999999\r\n\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}Transfer-Encoding: xchunked\r\n\r\n`,
    (target) =>
      `GET ${target} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
    (target) =>
      `GET ${target} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5;x=${'y'.repeat(20_000)}\r\n`,
    (target) =>
      `GET ${target} HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n${CLOSE}\r\n0\r\n__proto__: x\r\n\r\n`,
    // Malformed lines.
    (target) => `GET ${target} HTTP/1.1\n${HOST}\n\n`,
    (target) => `GET ${target} HTTP/1.1\r${HOST}\r\r`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}X: a\r\n b\r\n${CLOSE}\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n ${HOST}\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\nHost fuzz\r\n\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n: x\r\n\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}X\0Y: a\r\n\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}X: a\0b\r\n\r\n`,
    (target) => `GET  ${target}  HTTP/1.1\r\n${HOST}\r\n`,
    (target) => `GET\t${target}\tHTTP/1.1\r\n${HOST}\r\n`,
    (target) => `\r\n\r\nGET ${target} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    // Wrong protocols, versions and hosts.
    (target) => `GET ${target} HTTP/1.1\r\n${CLOSE}\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}${HOST}${CLOSE}\r\n`,
    (target) => `GET ${target} HTTP/1.0\r\n\r\n`,
    (target) => `GET ${target} HTTP/0.9\r\n\r\n`,
    (target) => `GET ${target} HTTP/3.0\r\n${HOST}\r\n`,
    (target) => `GET ${target} http/1.1\r\n${HOST}\r\n`,
    (target) => `GET ${target}\r\n\r\n`,
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => '\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00FC\u0003\u0003',
    () => '*1\r\n$4\r\nPING\r\n',
    // Unexpected bodies, pipelined requests, oversized parts.
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}${CLOSE}Content-Length: 3\r\n\r\n{}}`,
    (target) =>
      `GET ${target} HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 2\r\n${CLOSE}\r\n{}`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}Expect: x\r\n${CLOSE}\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    (target) =>
      `GET ${target} HTTP/1.1\r\n${HOST}\r\n`.repeat(5) + `GET / HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}\r\nrubbish\r\n\r\n`,
    (target) => `GET ${target}&${'x'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`,
    (target) => `GET ${target}${'&a=b'.repeat(2_000)} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(1_900)}${CLOSE}\r\n`,
    (target) => `GET ${target} HTTP/1.1\r\n${HOST}${'A: b\r\n'.repeat(9_000)}\r\n`,
  ),
  // A good request, cut anywhere or with one changed byte.
  fc.double({ min: 0, max: 1, noNaN: true }).map((part) => (target: string) => {
    const whole = plainRequest(target);
    return whole.slice(0, Math.floor(part * whole.length));
  }),
  fc
    .tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(255))
    .map(([part, byte]) => (target: string) => {
      const whole = plainRequest(target);
      const at = Math.floor(part * whole.length);
      return whole.slice(0, at) + String.fromCharCode(byte) + whole.slice(at + 1);
    }),
  // Noise.
  fc
    .uint8Array({ minLength: 1, maxLength: 300 })
    .map((bytes) => () => Buffer.from(bytes).toString('latin1')),
);

function plainRequest(target: string): string {
  return `GET ${target} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`;
}
