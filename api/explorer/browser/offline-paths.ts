/** Address of the service worker for offline use. */
export const WORKER_PATH = '/explorer/offline.js';

/** The page that the service worker shows offline. The page draws a saved answer, or a message. */
export const SHELL_PATH = '/explorer/offline';

/** Status of the offline message. Servers never send this status. */
export const OFFLINE_STATUS = 0;

/** Prefix of our caches in the browser. The rest of a cache's name is the release of the pages. */
export const STORE_PREFIX = 'headwind-';
