import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { isServing } from '../../jobs/cli/run/health.ts';
import { readConfig } from '../../jobs/config.ts';
import { createWebhook } from '../../jobs/watch/webhook.ts';
import { SourceOutageError } from '../../pipelines/errors.ts';
import { createGuardedFetch } from '../../pipelines/fetch-guarded.ts';
import { createHttpGet } from '../../pipelines/http-get.ts';
import { createLlmSummary } from '../../pipelines/news/llm-summary.ts';
import { builtInSummary } from '../../pipelines/news/summarise.ts';
import { createGuardedPost, ReceiverError } from '../../pipelines/watches/guarded-post.ts';
import { sha256 } from '../../warehouse/ground/hashes.ts';
import { StorageUnavailableError } from '../../warehouse/objects/objects.ts';
import { s3Objects } from '../../warehouse/objects/s3.ts';
import { hurtfulServer, WAYS } from '../../bench/stage/hurtful-server.ts';
import { aNewsItem } from '../helpers/news-items.ts';
import { S3_KEY } from '../helpers/s3-server.ts';
import { listImports } from '../tooling/rooms.ts';
import { SECRET } from './helpers/notice-listener.ts';
import { tempDir } from './helpers/temp-dir.ts';

type Call = { url: string; body: Buffer; deadlineMs: number; t: ExecutionContext };

type Client = {
  /** The file that sends the requests. */
  file: string;
  /** Returns a body of about this size that the client understands. */
  bodyOf: (bytes: number) => Buffer;
  /** Whether the client needs the body, not only the status. */
  needsBody: boolean;
  /** Returns whether the client received everything; throws errors other than outages. */
  isReceived: (call: Call) => Promise<boolean>;
};

const bytesOf = (bytes: number) => Buffer.alloc(bytes, 'flights ');
/** Larger than the buffers of a connection, so that a slow reader pauses it. */
const LARGE = 2_000_000;
const SMALL = 20_000;
const SENTENCE = 'Expect cancellations at Kennedy on Friday.';
const ITEM = { ...aNewsItem(), description: 'Handlers at Kennedy stop work on Friday.' };
/** Longer answers to a challenge are not read to the end. */
const MAX_CHALLENGE = 10_000;
/** Longer summaries are refused. */
const MAX_PADDING = 60_000;

/** The files through which all requests go. The linter refuses `fetch` in the service. */
const SHARED = new Set(['warehouse/ground/http-exchange.ts', 'pipelines/follow.ts']);
/** An import of Node's functions that send requests. */
const NODE_REQUEST = /^import \{[^}]*\b(?:request|get)\b[^}]*\} from 'node:https?'/m;

/** Returns an error handler that returns false for an outage and throws other errors. */
function falseFor(
  outage: typeof SourceOutageError | typeof StorageUnavailableError | typeof ReceiverError,
) {
  return (error: unknown) => {
    if (error instanceof outage) return false;
    throw error;
  };
}

const bucketAt = ({ url, deadlineMs }: Call) =>
  s3Objects({
    bucket: 'lake',
    prefix: '',
    endpoint: url,
    region: 'r',
    ...S3_KEY,
    retryMs: 1,
    deadlineMs,
  });

const CLIENTS: Record<string, Client> = {
  'a download of flights': {
    file: 'pipelines/http-get.ts',
    bodyOf: bytesOf,
    needsBody: true,
    isReceived: async ({ url, body, deadlineMs }) => {
      const get = createHttpGet({ pauseMs: 0, connectMs: deadlineMs, silenceMs: deadlineMs });
      const read = async () => {
        const answer = await get({ url, method: 'GET', headers: {} });
        const chunks: Uint8Array[] = [];
        for await (const chunk of answer.body) {
          chunks.push(chunk);
          if (chunks.length < 10) await sleep(5);
        }
        return body.equals(Buffer.concat(chunks));
      };
      return read().catch(falseFor(SourceOutageError));
    },
  },
  'a request for weather, news or airport status': {
    file: 'pipelines/fetch-guarded.ts',
    bodyOf: bytesOf,
    needsBody: true,
    isReceived: async ({ url, body, deadlineMs }) =>
      createGuardedFetch({ deadlineMs, maxBytes: LARGE })({ url }).then(
        (answer) => body.equals(answer.body),
        falseFor(SourceOutageError),
      ),
  },
  'a download from a bucket': {
    file: 'warehouse/objects/s3.ts',
    bodyOf: bytesOf,
    needsBody: true,
    isReceived: async (call) => {
      const { body, t } = call;
      const file = join(await tempDir(t), 'file');
      const expected = { bytes: body.length, sha256: sha256(body) };
      const get = async () => {
        await bucketAt(call).get('x', file, expected);
        return body.equals(await readFile(file));
      };
      return get().catch(falseFor(StorageUnavailableError));
    },
  },
  'a small object of a bucket': {
    file: 'warehouse/objects/s3.ts',
    bodyOf: bytesOf,
    needsBody: true,
    isReceived: async (call) =>
      bucketAt(call)
        .read('x')
        .then((read) => call.body.equals(read ?? Buffer.of()), falseFor(StorageUnavailableError)),
  },
  'an upload to a bucket': {
    file: 'warehouse/objects/s3.ts',
    bodyOf: bytesOf,
    needsBody: true,
    isReceived: async (call) =>
      bucketAt(call)
        .put('x', Buffer.from('content'))
        .then(() => true, falseFor(StorageUnavailableError)),
  },
  'a notice': {
    file: 'jobs/watch/webhook.ts',
    bodyOf: bytesOf,
    needsBody: false,
    isReceived: async ({ url, deadlineMs }) => {
      const policy = { tries: 2, pauseMs: 1, timeoutMs: deadlineMs };
      const hook = createWebhook({ url, secret: SECRET }, () => new Date(), policy);
      const notice = { id: 'a', type: 'b', at: '2026-11-21T12:00:00Z', text: 'c', data: {} };
      return hook.send(notice).then(
        () => true,
        () => false,
      );
    },
  },
  'a message to a watcher': {
    file: 'pipelines/watches/guarded-post.ts',
    bodyOf: bytesOf,
    needsBody: false,
    isReceived: async ({ url, deadlineMs }) => {
      const post = createGuardedPost({ deadlineMs, allowedHosts: new Set([new URL(url).host]) });
      return post(url, { headers: {}, body: '{}' }).then(() => true, falseFor(ReceiverError));
    },
  },
  'a challenge to a watcher': {
    file: 'pipelines/watches/guarded-post.ts',
    bodyOf: (bytes) => bytesOf(Math.min(bytes, MAX_CHALLENGE)),
    needsBody: true,
    isReceived: async ({ url, body, deadlineMs }) => {
      const post = createGuardedPost({ deadlineMs, allowedHosts: new Set([new URL(url).host]) });
      return post(url, { headers: {}, body: '{}', isBodyNeeded: true }).then(
        ({ text }) => text === body.toString(),
        falseFor(ReceiverError),
      );
    },
  },
  'a request for a summary': {
    file: 'pipelines/news/llm-summary.ts',
    bodyOf: (bytes) => {
      const padding = ' '.repeat(Math.min(bytes, MAX_PADDING));
      return Buffer.from(
        `{${padding}"choices":${JSON.stringify([{ message: { content: SENTENCE } }])}}`,
      );
    },
    needsBody: true,
    isReceived: async ({ url, deadlineMs }) => {
      const config = { baseUrl: url, model: 'small', apiKey: undefined, deadlineMs };
      const sentence = await createLlmSummary(config)(ITEM);
      if (![SENTENCE, builtInSummary(ITEM)].includes(sentence)) throw new Error(sentence);
      return sentence === SENTENCE;
    },
  },
  'a request for the health of the API': {
    file: 'jobs/cli/run/health.ts',
    bodyOf: bytesOf,
    needsBody: false,
    isReceived: async ({ url, deadlineMs }) => {
      const config = readConfig({ HOST: '127.0.0.1', PORT: new URL(url).port });
      const lastStart = Date.now() + deadlineMs;
      do {
        // On a busy machine, one poll may miss its own deadline of 2 s.
        if (await isServing(config, new AbortController().signal)) return true;
      } while (Date.now() < lastStart);
      return false;
    },
  },
};

for (const [name, { bodyOf, needsBody, isReceived }] of Object.entries(CLIENTS)) {
  for (const [manner, way] of Object.entries(WAYS)) {
    const shouldArrive = way.outcome === 'intact' || (way.outcome === 'cut' && !needsBody);
    test(`${name} ${shouldArrive ? 'succeeds' : 'is an outage'} if the server ${manner}`, async (t) => {
      const body = bodyOf(shouldArrive ? LARGE : SMALL);
      const url = await hurtfulServer(t, way, body);
      const deadlineMs = shouldArrive ? 60_000 : 300;
      t.is(await isReceived({ url, body, deadlineMs, t }), shouldArrive);
    });
  }
}

test('every file that sends requests is in this test', async (t) => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const rooms = ['api', 'jobs', 'models', 'pipelines', 'warehouse'];
  const listed = execFileSync('git', ['ls-files', ...rooms], { cwd: root, encoding: 'utf8' });
  const files = listed
    .trim()
    .split('\n')
    .filter((file) => file.endsWith('.ts'));
  const imports = await listImports(root, files);
  const senders = new Set(imports.filter(({ to }) => SHARED.has(to)).map(({ from }) => from));
  for (const file of files) {
    if (NODE_REQUEST.test(await readFile(join(root, file), 'utf8'))) senders.add(file);
  }
  const tested = Object.values(CLIENTS).map(({ file }) => file);
  t.deepEqual(senders.difference(SHARED), new Set(tested.toSorted()));
});
