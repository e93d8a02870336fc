/** Runs before the browser paints the page, so it never flashes in the wrong colours. */
import { applyTheme } from './themes.ts';

try {
  applyTheme();
} catch {
  // The browser blocks storage: the system's colours apply.
}
