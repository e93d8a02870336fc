import { parentPort } from 'node:worker_threads';
import { feedText } from './feed-text.ts';
import { parseFeed } from './parse.ts';
import type { ParseAnswer, ParseRequest } from './parser-thread.ts';

/** The thread that reads feeds: whatever a feed does to it, the worker process goes on. */
parentPort?.on('message', (request: ParseRequest) => {
  void answerOf(request).then((answer) => parentPort?.postMessage(answer, []));
});

async function answerOf({ bytes, contentType }: ParseRequest): Promise<ParseAnswer> {
  try {
    return { feed: await parseFeed(feedText(bytes, contentType)) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}
