import { seasonOf } from '../../../src/contract/gameplay/season.js';
import { FileUnreadable } from '../../../src/files/file-text.js';
import { readSeason, writeSeason } from '../../../src/files/season-text.js';
import { type FuzzTarget, hold, unlessRefused } from '../engine/target.js';
import { season as seasonExample } from './examples.js';

const parse = (input: Buffer) => unlessRefused(() => readSeason(input.toString('utf8')).file, FileUnreadable);

/** Season files in YAML. */
export const season: FuzzTarget = {
  name: 'season',
  maxBytes: 64 * 1024,
  parse,
  check(input) {
    const file = parse(input);
    if (file === null) return;
    const meant = seasonOf(file);
    const written = writeSeason(meant);
    const again = seasonOf(readSeason(written).file);
    hold(
      JSON.stringify(again) === JSON.stringify(meant),
      'A season that is written is read again as the same.',
      written,
    );
    hold(!/[^\P{Cc}\n\t]/u.test(written), 'Nothing in it controls a terminal.', written);
  },
  seeds: [
    'categories:\n  - { key: daily, name: Every day }\nchallenges:\n  - key: a\n    name: &n { en: A, de: B }\n    eventName: kill-enemy\n    goal: 3\n    description: *n\n',
    'leaderboards:\n- key: best\n  name: Best\n  eventName: achieve-score\n  valueKey: score\n',
    '{"battlePasses": [{"key": "w", "name": {"en": "W"}, "levels": [{"key": "1", "challenges": []}]}]}',
    ...seasonExample,
  ],
  words: [
    ...[
      'categories',
      'challenges',
      'battlePasses',
      'leaderboards',
      'players',
      'levels',
      'key',
      'name',
      'goal',
      'eventName',
    ],
    ...[
      'description',
      'category',
      'position',
      'isDaily',
      'counting',
      'resetPeriod',
      'timeZone',
      'Europe/Berlin',
      'startDate',
    ],
    ...['metadataConditions', 'rewardType', 'reward', 'xp', 'durationMinutes', 'total', 'kill-enemy', 'achieve-score'],
    ...[
      ': ',
      '- ',
      '\n',
      '\n  ',
      '\n    ',
      '{',
      '}',
      '[',
      ']',
      '&a ',
      '*a',
      '<<: ',
      '!!str ',
      '!!binary ',
      '|\n',
      '>-\n',
      "'",
      '"',
    ],
    ...['? ', '---', '...', '#', '%YAML 1.1\n', '~', 'null', 'true', '0x1F', '.inf', '2027-01-04T00:00:00+01:00', '\t'],
  ],
};
