import { judgePart, readBody } from '../../../daemon/platform/http/bodies/judge-body.js';
import { DomainError } from '../../../src/contract/errors.js';
import { TextsInput, textOf } from '../../../src/contract/gameplay/localised-text.js';
import { type FuzzTarget, hold, unlessRefused } from '../engine/target.js';

const languages = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})?$/;

const parse = (input: Buffer) =>
  unlessRefused(() => TextsInput.parse(judgePart(TextsInput, 'body', readBody(TextsInput, input))), DomainError);

/** Texts by language, as names of challenges and passes are written. */
export const texts: FuzzTarget = {
  name: 'texts',
  maxBytes: 64 * 1024,
  parse,
  check(input) {
    const found = parse(input);
    if (found === null) return;
    const all = Object.entries(found);
    hold(all.length > 0 && Object.getPrototypeOf(found) === Object.prototype, 'It has a language.', found);
    for (const [language, text] of all)
      hold(languages.test(language) && text.length > 0 && text.length <= 1_000, 'Each is a text.', language, text);
    hold(Object.values(found).includes(textOf(found)), 'The text that is shown is one of them.', found);
    const again = parse(Buffer.from(JSON.stringify(found)));
    hold(JSON.stringify(again) === JSON.stringify(found), 'It is read again as the same.', again, found);
  },
  seeds: ['"Three down"', '{"en":"Three down","de":"Drei"}', '{"pt-BR":"Três","zh-Hans":"三"}', '" "', '{}'],
  words: [
    '{',
    '}',
    '"',
    ':',
    ',',
    '"en"',
    '"de"',
    '"pt-BR"',
    '"__proto__"',
    '"constructor"',
    '\\u0000',
    '\\ud800',
    'null',
  ],
};
