/** Starts the page in the browser: hydrates the server's HTML, then handles links and forms without a reload. */
import { handleCalls } from './calls.ts';
import { handleChoices } from './choices.ts';
import { handleCopyButtons } from './copies.ts';
import { handleSearch } from './finds.ts';
import { focusFirst, handleForms } from './forms.ts';
import { registerOfflineWorker } from './offline.ts';
import { handlePlayback } from './plays.ts';
import { startRouter } from './router.ts';
import { handleSaveButtons } from './saves.ts';
import { handleThemeButtons } from './themes.ts';

const go = startRouter();
handleForms(go);
handleChoices();
handleCopyButtons();
handleCalls();
handleSearch();
handlePlayback(go);
handleSaveButtons();
handleThemeButtons();
registerOfflineWorker();
focusFirst();
