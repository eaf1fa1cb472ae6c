/**
 * Each sentence of the documents with one of these words is shown by a suite, or has a reason why none can show it:
 * every, always, never, only, first, nobody, at most. A row of a table counts as one sentence. Headings, pictures and what
 * is fenced as code do not count, nor does a sentence that names a suite itself.
 *
 * `promises.json` has them by page: the first words of the sentence, and either `suite: words of a title there` or a reason.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const text = (path: string): string => readFileSync(join(root, path), 'utf8');
const promises: Record<string, Record<string, string>> = JSON.parse(text('test/promises.json'));

/** Why a sentence has no suite. */
const reasons = [
  'advice', // tells people what to do, or what the maintainers do
  'meaning', // says what a word, a field, a value or an input means, or what a page is about
  'others', // says what programs and services do that are not ours
  'figure', // is what was measured once, with the run that measured it beside it
  'linter', // is a rule of borders.json
];

const pages = [
  ...['README.md', 'SECURITY.md', ...['csharp', 'godot', 'typescript'].map((kit) => `kits/${kit}/README.md`)],
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'decisions.md')
    .map((name) => `docs/${name}`),
];

/** Splits a page where a sentence, a row, an item or a paragraph ends. */
const sentencesOf = (page: string): string[] =>
  text(page)
    .replace(/^ *```.*\n[\s\S]*?^ *```$|^#.*$|!\[[^\]]*\]\([^)]*\)/gm, '')
    .split(/\n\s*\n|\n(?=\s*(?:[-|>]|\d+\.) ?)/)
    .flatMap((part) => (part.trim().startsWith('|') ? [part] : part.split(/(?<=[.?!:])\s+(?=["([`*]*[A-Z`])/)))
    .map((part) =>
      part
        .replace(/\s+/g, ' ')
        .replace(/^ ?(?:[-|>]|\d+\.) /, '')
        .trim(),
    );

const titlesOf = (suite: string): string[] =>
  [...text(suite).matchAll(/(?:\b(?:it|test|describe\w*)(?:\.\w+)*|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(
    ([, , title = '']) => title,
  );
const isShown = (shown: string): boolean => {
  if (reasons.includes(shown)) return true;
  const [, path = '', words = ''] = /^(\S+): (.+)$/.exec(shown) ?? [];
  const suite = `test/${path}`;
  return words !== '' && existsSync(join(root, suite)) && titlesOf(suite).some((title) => title.includes(words));
};

describe('what the documents promise', () => {
  it.each(pages)('in %s is shown, or says why not', (page) => {
    const promised = sentencesOf(page).filter(
      (sentence) =>
        /\b(?:every|always|never|only|first|nobody|at most)\b/i.test(sentence) && !/`test\/[^`]+`/.test(sentence),
    );
    const entries = Object.entries(promises[page] ?? {});
    const entriesOf = (sentence: string) => entries.filter(([beginning]) => sentence.startsWith(beginning));
    const sentencesWith = (beginning: string) => promised.filter((sentence) => sentence.startsWith(beginning));
    expect(promised.filter((sentence) => entriesOf(sentence).length !== 1)).toEqual([]);
    expect(entries.filter(([beginning]) => sentencesWith(beginning).length !== 1)).toEqual([]);
    expect(entries.filter(([, shown]) => !isShown(shown))).toEqual([]);
  });

  it('has entries for pages that are there', () => {
    expect(Object.keys(promises).filter((page) => !pages.includes(page))).toEqual([]);
  });
});
