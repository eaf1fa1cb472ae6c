/** Words: the source refers to nothing that its reader cannot open, and keeps to the terms of docs/glossary.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const self = 'test/words.test.ts';
const listed = execFileSync('git', ['ls-files', '*.ts', '*.js', '*.mjs', '*.md', '*.prisma'], {
  cwd: root,
  encoding: 'utf8',
});
const files = listed.split('\n').filter((name) => name !== '' && name !== self);

/** `file: text` of everything that the pattern finds. */
const found = (pattern: RegExp): string[] =>
  files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/\n\s*(?:\*|\/\/) /g, ' ');
    return [...text.matchAll(pattern)].map(([match]) => `${file}: ${match}`);
  });

it('cites no document that is not in the repository', () => {
  expect(
    found(
      /\b(?:contract|design|style|notes on \w+|interface)[,:]? (?:sections? \d|\d+(?: (?:to|and) \d+)?\))|\((?:interface|design): [A-Z]|\(contract, (?:\d|general)/gi,
    ),
  ).toEqual([]);
});

it('does not bring back names that the glossary replaced', () => {
  const old = [
    'Standing',
    'Doorman',
    'Postman',
    'Letter',
    'HeldGathering',
    'Holding',
    'Wish',
    'Told',
    'RoomNews',
    'Desk',
    'Seals',
  ];
  expect(found(new RegExp(`\\b(?:class|interface|type|enum) \\w*(?:${old.join('|')})(?![a-z])\\w*`, 'g'))).toEqual([]);
  // Tests tell stories; what the product is made of has one name for one thing.
  const ours = found(
    /\b(?:const|let|function|readonly|private|async|get) (?:told|news|standing|wish|doorman|postman)(?![a-z])\w*/gi,
  );
  expect(ours.filter((line) => !/^(?:test|bench|examples)\//.test(line))).toEqual([]);
});

it('has no private words in comments, documents and texts either', () => {
  const words = /\b(?:doorman|held gathering|room ?news|news desk)\b/gi;
  expect(found(words).filter((line) => !line.startsWith('docs/glossary.md'))).toEqual([]);
});

it('numbers the decisions without gaps, each with its date', () => {
  const text = readFileSync(join(root, 'docs/decisions.md'), 'utf8');
  const paragraphs = [...text.matchAll(/^\*\*(.*?)\*\*/gm)].map(([, head = '']) => head);
  expect(paragraphs).toEqual(
    paragraphs.map((_, at) => expect.stringMatching(`^${at + 1} \\(2\\d{3}-\\d\\d-\\d\\d\\)\\.$`)),
  );
});
