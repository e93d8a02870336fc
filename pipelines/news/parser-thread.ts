import { Worker } from 'node:worker_threads';
import { SourceFormatError } from '../../warehouse/errors.ts';
import { FeedError } from './feed-text.ts';
import type { ParsedFeed } from './types.ts';

export type ParseRequest = { source: string; bytes: Uint8Array; contentType: string };
export type ParseAnswer = { feed: ParsedFeed } | { problem: string };

export type FeedParser = {
  /** Throws `SourceFormatError` for input that is not a feed, and for a feed that takes too much time or memory. */
  parse: (request: ParseRequest) => Promise<ParsedFeed>;
  close: () => Promise<void>;
};

/**
 * Time limit for a feed. Our largest feed takes 60 ms, but on a busy machine, the start of the thread may take several
 * seconds.
 */
const DEADLINE_MS = 15_000;
const MEMORY_MB = 128;
const WORKER = new URL('parse-worker.ts', import.meta.url);

/** Parses feeds one after the other in a separate thread. If a feed crashes the thread, a new thread replaces it. */
export function openFeedParser(deadlineMs: number = DEADLINE_MS): FeedParser {
  let thread: Worker | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const parse = async (request: ParseRequest): Promise<ParsedFeed> => {
    thread ??= startThread();
    try {
      return await parseInThread(thread, request, deadlineMs);
    } catch (error) {
      if (!(error instanceof FeedError)) {
        void thread.terminate();
        thread = undefined;
      }
      throw new SourceFormatError(request.source, (error as Error).message, { cause: error });
    }
  };

  return {
    parse: (request) => {
      const result = queue.then(() => parse(request));
      queue = result.catch(() => undefined);
      return result;
    },
    close: async () => {
      await queue;
      await thread?.terminate();
    },
  };
}

function startThread(): Worker {
  const thread = new Worker(WORKER, {
    // The thread gets no settings and no secrets, because it reads untrusted input.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: 4 },
  });
  // Ignore a crash between two feeds, because the next request starts a new thread.
  thread.on('error', () => undefined);
  thread.unref();
  return thread;
}

async function parseInThread(
  thread: Worker,
  request: ParseRequest,
  deadlineMs: number,
): Promise<ParsedFeed> {
  return new Promise((resolve, reject) => {
    const cleanUp = () => {
      clearTimeout(timer);
      thread.off('message', onAnswer).off('error', onError).off('exit', onExit);
    };
    const onAnswer = (answer: ParseAnswer) => {
      cleanUp();
      if ('feed' in answer) resolve(answer.feed);
      else reject(new FeedError(answer.problem));
    };
    const onError = (error: Error) => {
      cleanUp();
      reject(error);
    };
    const onExit = () => onError(new Error('the parser ended'));
    const timer = setTimeout(
      () => onError(new Error(`not parsed within ${deadlineMs / 1_000} s`)),
      deadlineMs,
    );
    thread.on('message', onAnswer).on('error', onError).on('exit', onExit);
    // Without a transfer list, the bytes are copied.
    thread.postMessage(request, []);
  });
}
