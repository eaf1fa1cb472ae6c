/** Whose language the set-up's recogniser has to know. */
import { expect, it } from 'vitest';
import { languageSpoken } from '../../../daemon/modules/sessions/speech-install/install-for-language.js';

it.each([
  { setting: 'de', locale: {}, spoken: 'de' },
  { setting: 'pt-BR', locale: { LANG: 'en_US.UTF-8' }, spoken: 'pt' },
  { setting: 'en', locale: { LANG: 'de_DE.UTF-8' }, spoken: null },
  { setting: undefined, locale: { LANG: 'de_DE.UTF-8' }, spoken: 'de' },
  { setting: undefined, locale: { LANG: 'de_DE.UTF-8', LC_ALL: 'fr_FR' }, spoken: 'fr' },
  { setting: undefined, locale: { LANG: 'de', LC_MESSAGES: 'ja_JP.eucJP' }, spoken: 'ja' },
  { setting: undefined, locale: { LANG: 'en_GB.UTF-8' }, spoken: null },
  { setting: undefined, locale: { LANG: 'C.UTF-8' }, spoken: null },
  { setting: undefined, locale: { LANG: 'POSIX' }, spoken: null },
  { setting: undefined, locale: { LANG: 'tlh_AA' }, spoken: null }, // a language that no model knows
  { setting: undefined, locale: {}, spoken: null },
])('$setting with $locale is $spoken', ({ setting, locale, spoken }) => {
  expect(languageSpoken(setting, locale)).toBe(spoken);
});
