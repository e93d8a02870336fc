/** Runs before the page is drawn, so that it never shows in the wrong colours first. */
import { applyTheme } from './themes.ts';

try {
  applyTheme();
} catch {
  // A browser that keeps nothing for us: the system decides.
}
