/** The service worker for offline use. */
export const WORKER_PATH = '/explorer/offline.js';

/**
 * The page that the worker serves offline. This page shows the answer saved for the requested address, or an offline
 * message.
 */
export const SHELL_PATH = '/explorer/offline';

/** The status of the offline message; no server sends this status. */
export const OFFLINE_STATUS = 0;

/** Prefix of the names of our caches in the browser. The release of the pages follows the prefix. */
export const STORE_PREFIX = 'headwind-';
