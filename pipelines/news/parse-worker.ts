import { parentPort } from 'node:worker_threads';
import { feedText } from './feed-text.ts';
import { parseFeed } from './parse.ts';
import type { ParseAnswer, ParseRequest } from './parser-thread.ts';

/** The thread that parses feeds. If a feed crashes the thread, the worker process keeps running. */
parentPort?.on('message', (request: ParseRequest) => {
  void parseRequest(request).then((answer) => parentPort?.postMessage(answer, []));
});

async function parseRequest({ bytes, contentType }: ParseRequest): Promise<ParseAnswer> {
  try {
    return { feed: await parseFeed(feedText(bytes, contentType)) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
