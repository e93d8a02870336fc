import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsClient } from 'aws4fetch';
import { installPackages } from './debian-packages.ts';
import { freePorts } from './free-ports.ts';

export type SwiftStage = {
  /** Address for `S3_ENDPOINT`. */
  url: string;
  key: { accessKeyId: string; secretAccessKey: string };
  makeBucket: (name: string) => Promise<void>;
  /** Kills all processes and starts them again with their data. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
};

/** Address and port; by default loopback and a free port. */
export type SwiftOptions = { address?: string; port?: number };

const PYTHON = '/usr/bin/python3';
const SERVERS = ['account', 'container', 'object'] as const;
const TIMEOUT_MS = 180_000;

/** Python script that builds Swift's list of storage devices, called a ring, with one device on this machine. */
const RING = `
import sys
from swift.common.ring import RingBuilder
folder, name, port = sys.argv[1:]
builder = RingBuilder(4, 1, 1)
place = {'ip': '127.0.0.1', 'port': int(port)}
builder.add_dev({'id': 0, 'region': 1, 'zone': 1, 'weight': 1, 'device': 'one', 'meta': '', **place,
    'replication_ip': place['ip'], 'replication_port': place['port']})
builder.rebalance()
builder.get_ring().save(f'{folder}/{name}.ring.gz')
`;

const SERVE = `
import sys
import swift.common.utils
folder, name = sys.argv[1:]
swift.common.utils.SWIFT_CONF_FILE = f'{folder}/swift.conf'
from swift.common.wsgi import run_wsgi
sys.exit(run_wsgi(f'{folder}/{name}.conf', f'{name}-server'))
`;

/**
 * Starts Debian's OpenStack Swift with its S3 interface, as four processes in a temporary folder. Installs the package
 * of Swift if it is missing.
 */
export async function startSwift({
  address = '127.0.0.1',
  port: fixedPort,
}: SwiftOptions = {}): Promise<SwiftStage> {
  install();
  const folder = await mkdtemp(join(tmpdir(), 'hw-swift-'));
  const ports = await freePorts(SERVERS.length + 1);
  const port = fixedPort ?? ports.at(-1) ?? 0;
  await configure(folder, [...ports.slice(0, -1), port], address);
  const processes: ChildProcess[] = [];
  const url = `http://${address}:${port}`;
  const start = async () => {
    for (const name of [...SERVERS, 'proxy']) {
      processes.push(spawn(PYTHON, ['-c', SERVE, folder, name], { stdio: 'ignore' }));
    }
    // Waits for the other servers first, because the proxy waits a minute before it retries an unavailable server.
    for (const serverPort of ports.slice(0, -1)) {
      await untilAnswering(`http://127.0.0.1:${serverPort}`);
    }
    await untilAnswering(url);
  };
  const stop = async () => {
    for (const child of processes.splice(0)) {
      child.kill('SIGKILL');
      if (child.exitCode === null) await once(child, 'exit');
    }
  };
  const key = { accessKeyId: 'test:tester', secretAccessKey: 'testing' };
  await start();
  return {
    url,
    key,
    makeBucket: async (name) => {
      const client = new AwsClient({ ...key, service: 's3', region: 'us-east-1' });
      const { status } = await client.fetch(`${url}/${name}`, { method: 'PUT' });
      if (status !== 200) throw new Error(`bucket ${name} was not created: status ${status}`);
    },
    restart: async () => {
      await stop();
      await start();
    },
    close: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function install(): void {
  const isInstalled = () => spawnSync(PYTHON, ['-c', 'import swift']).status === 0;
  if (isInstalled()) return;
  installPackages('python3-swift');
  if (!isInstalled()) {
    throw new Error('python3-swift is missing; install it with: apt-get install -y python3-swift');
  }
}

async function configure(folder: string, ports: number[], address: string): Promise<void> {
  await mkdir(join(folder, 'devices', 'one'), { recursive: true });
  const policy = '[storage-policy:0]\nname = one\ndefault = yes\n';
  await writeFile(
    join(folder, 'swift.conf'),
    `[swift-hash]\nswift_hash_path_suffix = hw\n${policy}`,
  );
  const common = (port: number | undefined, at = '127.0.0.1') =>
    `[DEFAULT]\nbind_ip = ${at}\nbind_port = ${port}\nworkers = 0\nuser = ${process.env['USER'] ?? 'root'}
swift_dir = ${folder}\ndevices = ${folder}/devices\nmount_check = false\nlog_level = CRITICAL\n`;
  for (const [at, name] of SERVERS.entries()) {
    spawnSync(PYTHON, ['-c', RING, folder, name, String(ports[at])]);
    const app = `[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`;
    await writeFile(join(folder, `${name}.conf`), common(ports[at]) + app);
  }
  const proxy = `[pipeline:main]
pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
`;
  await writeFile(join(folder, 'proxy.conf'), common(ports.at(-1), address) + proxy);
}

async function untilAnswering(url: string): Promise<void> {
  const until = Date.now() + TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.text();
    if (answer) return;
    if (Date.now() > until) throw new Error(`Swift did not answer within ${TIMEOUT_MS / 1_000} s`);
    await sleep(100);
  }
}
