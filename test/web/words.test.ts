/** Every text that a page's markup names is in the catalogue, in each language. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { de } from '../../web/words/de.js';
import { en } from '../../web/words/en.js';
import { es } from '../../web/words/es.js';
import { fr } from '../../web/words/fr.js';

it.each(['room', 'invitation'])('of the page %s', (page) => {
  const html = readFileSync(new URL(`../../web/${page}/index.html`, import.meta.url), 'utf8');
  const named = [...html.matchAll(/data-text="(\w+)"/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(3);
  for (const { texts } of [en, de, es, fr]) expect(Object.keys(texts)).toEqual(expect.arrayContaining(named));
});
