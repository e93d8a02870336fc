import { Worker } from 'node:worker_threads';
import { SourceFormatError } from '../errors.ts';
import { FeedError } from './feed-text.ts';
import type { ParsedFeed } from './types.ts';

export type ParseRequest = { source: string; bytes: Uint8Array; contentType: string };
export type ParseAnswer = { feed: ParsedFeed } | { problem: string };

export type FeedParser = {
  /** Throws `SourceFormatError` for what is no feed, and for one that takes too long or too much memory. */
  parse: (request: ParseRequest) => Promise<ParsedFeed>;
  close: () => Promise<void>;
};

/** The largest feed we have takes 60 ms; the thread itself, on a busy machine, several seconds to start. */
const DEADLINE_MS = 15_000;
const MEMORY_MB = 128;
const WORKER = new URL('parse-worker.ts', import.meta.url);

/** Reads feeds one after the other in a thread of its own, which is replaced when a feed brings it down. */
export function openFeedParser(deadlineMs: number = DEADLINE_MS): FeedParser {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const parse = async (request: ParseRequest): Promise<ParsedFeed> => {
    thread ??= startThread();
    try {
      return await answerOf(thread, request, deadlineMs);
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
      const parsed = last.then(() => parse(request));
      last = parsed.catch(() => undefined);
      return parsed;
    },
    close: async () => {
      await last;
      await thread?.terminate();
    },
  };
}

function startThread(): Worker {
  const thread = new Worker(WORKER, {
    // It reads what strangers write: no settings, no secrets.
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB, stackSizeMb: 4 },
  });
  // A thread that dies between two feeds is noticed by the next one.
  thread.on('error', () => undefined);
  thread.unref();
  return thread;
}

async function answerOf(
  thread: Worker,
  request: ParseRequest,
  deadlineMs: number,
): Promise<ParsedFeed> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      thread.off('message', answered).off('error', failed).off('exit', left);
    };
    const answered = (answer: ParseAnswer) => {
      settle();
      if ('feed' in answer) resolve(answer.feed);
      else reject(new FeedError(answer.problem));
    };
    const failed = (error: Error) => {
      settle();
      reject(error);
    };
    const left = () => failed(new Error('the parser ended'));
    const timer = setTimeout(
      () => failed(new Error(`not parsed within ${deadlineMs / 1_000} s`)),
      deadlineMs,
    );
    thread.on('message', answered).on('error', failed).on('exit', left);
    // Nothing is handed over: the bytes are copied.
    thread.postMessage(request, []);
  });
}
