/** What is wrong with the bytes or the text of a feed; says nothing about where it came from. */
export class FeedError extends Error {
  readonly isFinal = false;
  override readonly name = 'FeedError';
}
