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
  /** As `S3_ENDPOINT`. */
  url: string;
  key: { accessKeyId: string; secretAccessKey: string };
  makeBucket: (name: string) => Promise<void>;
  /** Kills all of it and starts it again on what it had. */
  restart: () => Promise<void>;
  close: () => Promise<void>;
};

/** Where it answers; on loopback at a free port without. */
export type SwiftOptions = { address?: string; port?: number };

const PYTHON = '/usr/bin/python3';
const SERVERS = ['account', 'container', 'object'] as const;
const PATIENCE_MS = 180_000;

/** A ring of one device says where everything is: here. */
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

/** Debian's OpenStack Swift with its S3 interface, as four processes in a temporary folder. Installs its package where it may. */
export async function startSwift({
  address = '127.0.0.1',
  port: wanted,
}: SwiftOptions = {}): Promise<SwiftStage> {
  install();
  const folder = await mkdtemp(join(tmpdir(), 'hw-swift-'));
  const ports = await freePorts(SERVERS.length + 1);
  const port = wanted ?? ports.at(-1) ?? 0;
  await configure(folder, [...ports.slice(0, -1), port], address);
  const processes: ChildProcess[] = [];
  const url = `http://${address}:${port}`;
  const start = async () => {
    for (const name of [...SERVERS, 'proxy']) {
      processes.push(spawn(PYTHON, ['-c', SERVE, folder, name], { stdio: 'ignore' }));
    }
    // The proxy answers before those behind it, and does not ask one again for a minute that it found away.
    for (const behind of ports.slice(0, -1)) await untilAnswering(`http://127.0.0.1:${behind}`);
    await untilAnswering(url);
  };
  const stop = async () => {
    for (const one of processes.splice(0)) {
      one.kill('SIGKILL');
      if (one.exitCode === null) await once(one, 'exit');
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
      if (status !== 200) throw new Error(`bucket ${name} not made: ${status}`);
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
  const has = () => spawnSync(PYTHON, ['-c', 'import swift']).status === 0;
  if (has()) return;
  installPackages('python3-swift');
  if (!has()) throw new Error('python3-swift is missing: apt-get install -y python3-swift');
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
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await fetch(url).catch(() => undefined);
    await answer?.text();
    if (answer) return;
    if (Date.now() > until) throw new Error('Swift does not answer');
    await sleep(100);
  }
}
