/** Takes the page over from the server: draws what it drew, and from then on follows links and forms without a reload. */
import { followCalls } from './calls.ts';
import { followChoices } from './choices.ts';
import { followCopies } from './copies.ts';
import { followFinds } from './finds.ts';
import { focusFirst, followForms } from './forms.ts';
import { startOffline } from './offline.ts';
import { followPlays } from './plays.ts';
import { startRouter } from './router.ts';
import { followSaves } from './saves.ts';
import { followThemes } from './themes.ts';

const go = startRouter();
followForms(go);
followChoices();
followCopies();
followCalls();
followFinds();
followPlays(go);
followSaves();
followThemes();
startOffline();
focusFirst();
