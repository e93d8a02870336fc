/** Runs before the browser paints the page, so that the page never flashes in the wrong colours. */
import { applyTheme } from './themes.ts';

try {
  applyTheme();
} catch {
  // The browser blocks storage, so the system's colours apply.
}
