/** The worker that answers for a page while the network is gone. */
export const WORKER_PATH = '/explorer/offline.js';

/** The page it answers with: it shows what was seen at an address, or says that one is offline. */
export const SHELL_PATH = '/explorer/offline';

/** The status of a problem that is none of the server's. */
export const OFFLINE_STATUS = 0;

/** Every store of ours in the browser begins so; after it comes the release of the pages. */
export const STORES = 'headwind-';
