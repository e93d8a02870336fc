/**
 * Runs before the browser draws the page. Otherwise the page would appear for a moment in the wrong colours, or without
 * the forms that need script.
 */
import { applyLanguage } from './languages.ts';
import { applyTheme } from './themes.ts';

document.documentElement.dataset['scripted'] = '';

try {
  applyTheme();
  applyLanguage();
} catch {
  // The browser blocks storage, so the system's colours stay.
}
