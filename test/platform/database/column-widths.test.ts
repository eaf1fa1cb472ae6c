/** Columns of times and their differences, over all models. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const models = fileURLToPath(new URL('../../../prisma/models/', import.meta.url));
const ofTime = /(?:Ms|Seconds|Minutes|Timeout|duration\w*)$/i;

it('of milliseconds, seconds and minutes have 64 bits, unless the model says what keeps them small', () => {
  const narrow = readdirSync(models)
    .flatMap((name) => readFileSync(`${models}${name}`, 'utf8').split('\n'))
    .filter((line) => {
      const [, name = '', comment = ''] = /^ {2}(\w+) +Int\b[^/]*(?:\/\/(.*))?$/.exec(line) ?? [];
      return ofTime.test(name) && !/at most|is ended after/.test(comment);
    });
  expect(narrow).toEqual([]);
});
