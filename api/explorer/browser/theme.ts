/**
 * Runs before the browser paints the page, so that the page never flashes in the wrong colours, or without its forms that
 * need script.
 */
import { applyLanguage } from './languages.ts';
import { applyTheme } from './themes.ts';

document.documentElement.dataset['scripted'] = '';

try {
  applyTheme();
  applyLanguage();
} catch {
  // The browser blocks storage, so the system's colours apply.
}
