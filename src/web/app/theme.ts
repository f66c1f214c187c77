import { Store } from '../api/store.ts';

/** Light, dark, or as the machine has it. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'gridcast.theme';
const THEMES: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = new Store<Theme>(THEMES.find((known) => known === localStorage.getItem(KEY)) ?? 'system');

/** Shows the page in a theme and remembers it. */
export function chooseTheme(chosen: Theme): void {
  theme.set(chosen);
  localStorage.setItem(KEY, chosen);
  showTheme();
}

/** Shows the page in the theme that was chosen. */
export function showTheme(): void {
  document.documentElement.dataset.theme = theme.get();
}

/** The one that comes after in the order light, dark, as the machine has it. */
export function themeAfter(current: Theme): Theme {
  return THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? 'system';
}
