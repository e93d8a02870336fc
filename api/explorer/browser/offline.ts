import { WORKER_PATH } from './offline-paths.ts';

/** Browsers that check what becomes script want its address from a policy that the page's own policy names. */
type Policies = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (address: string) => string };
};

/** Has the browser keep the pages for when the network is gone; where it cannot, nothing is lost. */
export function startOffline(): void {
  if (!('serviceWorker' in navigator)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  // The one address this policy knows, whatever it is asked.
  const policy = trustedTypes?.createPolicy('offline', { createScriptURL: () => WORKER_PATH });
  const address = policy?.createScriptURL(WORKER_PATH) ?? WORKER_PATH;
  const register = () =>
    void navigator.serviceWorker.register(address, { scope: '/' }).catch(() => undefined);
  // After all that the page itself needs.
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
