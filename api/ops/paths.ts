/** Where the page of all queues is mounted. */
export const BOARD_PATH = '/ops/queues';

/** Whether that address is for operators. */
export function isOpsPath(url: string | undefined): boolean {
  return url !== undefined && /^\/(?:api\/)?ops(?:[/?]|$)/.test(url);
}
