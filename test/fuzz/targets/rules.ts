import { isWithin } from '../../../daemon/modules/rules/judging/local-time.js';
import { DefinitionCheck } from '../../../daemon/modules/rules/resource/definition-check.js';
import { durationsInSeconds } from '../../../src/cli/typed/durations.js';
import { DomainError } from '../../../src/contract/errors.js';
import { RuleFile } from '../../../src/contract/rules/rules.js';
import { FileUnreadable, readFileText } from '../../../src/files/file-text.js';
import { type FuzzTarget, hold, unlessRefused } from '../engine/target.js';
import { rule as ruleExample } from './examples.js';

const check = new DefinitionCheck({
  plugins: { installed: async () => ['toxicity'], catalogue: async () => ['toxicity', 'sentiment'] },
  sanctions: { check: () => {} },
});
const instants = ['2026-03-29T01:30:00Z', '2026-10-25T00:30:00Z', '0001-01-01T00:00:00Z'].map((text) => new Date(text));

const parse = (input: Buffer) =>
  unlessRefused(() => readFileText(input.toString('utf8'), RuleFile, durationsInSeconds).file, FileUnreadable);

/** Definitions of rules, as files and as the API takes them. */
export const rules: FuzzTarget = {
  name: 'rules',
  maxBytes: 64 * 1024,
  parse,
  async check(input) {
    const file = parse(input);
    if (file === null) return;
    const again = RuleFile.safeParse(JSON.parse(JSON.stringify(file)));
    hold(JSON.stringify(again.data) === JSON.stringify(file), 'A definition that is stored is read as the same.', file);
    const { all, any, none } = file.definition.when;
    for (const { localTime } of [...all, ...any, ...none])
      if (localTime !== undefined)
        for (const at of instants) hold(typeof isWithin(localTime, at) === 'boolean', 'It is a time.');
    await check.judging('p', file.definition).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
  },
  seeds: [
    'name: Gold\ndefinition:\n  format: 1\n  when: { any: [{ words: { any: [buy gold] } }] }\n  steps: [[{ sanction: { type: mute, duration: 10m } }]]\n',
    '{"name":"n","definition":{"format":1,"when":{"all":[{"count":{"of":{"origin":"text"},"within":60,"atLeast":3}}]},"steps":[[],[{"review":{}}]]}}',
    'name: Night\ndefinition:\n  format: 1\n  when:\n    all:\n      - localTime: { from: "22:00", to: "06:00", timeZone: Europe/Berlin }\n      - annotation: { plugin: toxicity, atLeast: 0.5 }\n    none: [{ role: [owner] }]\n  steps: [[{ webhook: { label: x } }]]\n  decay: 7d\n',
    ...ruleExample,
  ],
  words: [
    ...[
      'name',
      'definition',
      'format: 1',
      'when',
      'all',
      'any',
      'none',
      'steps',
      'decay',
      'mode',
      'dry-run',
      'enforce',
      'events',
    ],
    ...[
      'words',
      'annotation',
      'plugin',
      'category',
      'atLeast',
      'atMost',
      'origin',
      'speech',
      'role',
      'sanctions',
      'gameEvents',
    ],
    ...[
      'count',
      'of',
      'by',
      'within',
      'localTime',
      'from',
      'to',
      'weekdays',
      'timeZone',
      'mon',
      '22:30',
      'UTC',
      'Etc/GMT+12',
    ],
    ...[
      'sanction',
      'review',
      'webhook',
      'type',
      'duration',
      'scope',
      'reason',
      'parameters',
      'statement',
      'label',
      '2h30m',
      '7d',
    ],
    ...[
      ': ',
      '- ',
      '\n',
      '\n  ',
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      '&a ',
      '*a',
      '<<: ',
      'toxicity',
      'exempt',
      'sanctionsPerHourMax',
    ],
  ],
};
