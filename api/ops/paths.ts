/** Path of the page of all queues. */
export const BOARD_PATH = '/ops/queues';

/** Returns whether the URL belongs to the operators' pages. */
export function isOpsPath(url: string | undefined): boolean {
  return url !== undefined && /^\/(?:api\/)?ops(?:[/?]|$)/.test(url);
}
