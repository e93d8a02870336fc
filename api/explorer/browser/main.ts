/** Script of every page: takes over the HTML from the server, then handles links and forms without reloading. */
import { handleCalls } from './calls.ts';
import { handleChoices } from './choices.ts';
import { handleCopyButtons } from './copies.ts';
import { handleSearch } from './finds.ts';
import { focusFirst, handleForms } from './forms.ts';
import { handleLanguageTabs } from './languages.ts';
import { handlePlayback } from './plays.ts';
import { handleRefreshes } from './refreshes.ts';
import { startRouter } from './router.ts';
import { handleSaveButtons } from './saves.ts';
import { handleShareButtons } from './shares.ts';
import { handleThemeButtons } from './themes.ts';
import { WORKER_PATH } from './offline-paths.ts';

const go = startRouter();
handleForms(go);
handleChoices();
handleCopyButtons();
handleCalls();
handleSearch();
handlePlayback(go);
handleRefreshes(go);
handleSaveButtons();
handleShareButtons();
handleThemeButtons();
handleLanguageTabs();
registerOfflineWorker();
focusFirst();

/**
 * Part of the trusted types API. With trusted types, a browser accepts a script address only from a policy that the
 * Content-Security-Policy names.
 */
type Policies = {
  createPolicy: (
    name: string,
    rules: { createScriptURL: () => string },
  ) => { createScriptURL: (address: string) => string };
};

/** Registers the service worker for offline use, if the browser supports it. */
function registerOfflineWorker(): void {
  if (!('serviceWorker' in navigator)) return;
  const { trustedTypes } = globalThis as { trustedTypes?: Policies };
  // The policy always returns this one address.
  const policy = trustedTypes?.createPolicy('offline', { createScriptURL: () => WORKER_PATH });
  const address = policy?.createScriptURL(WORKER_PATH) ?? WORKER_PATH;
  const register = () =>
    void navigator.serviceWorker.register(address, { scope: '/' }).catch(() => undefined);
  // Wait until the page has loaded, so that the registration does not slow it down.
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
