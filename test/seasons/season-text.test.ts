import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { seasonOf } from '../../src/contract/gameplay/season.js';
import { SeasonFile } from '../../src/contract/gameplay/season-file.js';
import { FileUnreadable } from '../../src/files/file-text.js';
import { readSeason, writeSeason } from '../../src/files/season-text.js';
import { harmlessLines } from '../../src/text/printable.js';
import { scale } from '../support/scale.js';
import { seasonFile } from './arbitrary.js';

const season = (text: string) => seasonOf(readSeason(text).file);

/** Each reason as `line:column field: message`. */
function refusals(text: string): string[] {
  try {
    readSeason(text);
  } catch (error) {
    if (error instanceof FileUnreadable) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('a season file', () => {
  it('fills in what it leaves out', () => {
    const text = `
challenges:
  - key: first-blood
    name: First blood
    eventName: kill-enemy
    goal: 1
    liveDate: 2027-01-01T01:00:00+01:00
battlePasses:
  - key: winter
    name: { en: Winter, de: Winter }
    levels:
      - key: one
      - { key: five, position: 5 }
      - key: six
`;
    expect(season(text)).toMatchObject({
      categories: [],
      challenges: [
        {
          ...{ key: 'first-blood', category: 'default', name: { en: 'First blood' }, description: null, goal: 1 },
          ...{
            goalCondition: 0,
            counting: 'per-session',
            metadataConditions: [],
            liveDate: '2027-01-01T00:00:00.000Z',
          },
        },
      ],
      battlePasses: [
        {
          isUnlockedIncrementally: true,
          levels: [
            { key: 'one', position: 1, rewardType: 'nothing', rewardAmount: null, challenges: [] },
            { key: 'five', position: 5 },
            { key: 'six', position: 6 },
          ],
        },
      ],
    });
  });

  it('may be empty', () => {
    expect(season('')).toEqual({ categories: [], challenges: [], battlePasses: [], leaderboards: [] });
  });

  it('may state common fields once', () => {
    const text = `
challenges:
  - &kill { key: a, name: Kill, eventName: kill-enemy, goal: 3 }
  - { <<: *kill, key: b, goal: 5 }
`;
    expect(season(text).challenges).toMatchObject([
      { key: 'a', goal: 3 },
      { key: 'b', eventName: 'kill-enemy', goal: 5 },
    ]);
  });

  it('describes players for a simulation', () => {
    const text = `
players:
  - name: casual
    share: 3
    events:
      kill-enemy: 2
      finish-laps: { perMinute: 0.5, properties: { required_time: { from: 60, to: 90 }, lap_position: [1, 2, 3] } }
`;
    expect(readSeason(text).file.players).toEqual([
      {
        ...{ name: 'casual', share: 3, sessionsPerDay: 1, minutesPerSession: 30, skill: 0.5 },
        events: {
          'kill-enemy': { perMinute: 2, properties: {} },
          'finish-laps': {
            perMinute: 0.5,
            properties: { required_time: { from: 60, to: 90 }, lap_position: [1, 2, 3] },
          },
        },
      },
    ]);
  });
});

describe('a season file that is wrong is refused with line, column and field', () => {
  it.each([
    [
      'a missing field',
      'challenges:\n  - key: a\n    name: A\n    goal: 1\n',
      ['2:5 challenges.a.eventName: is required'],
    ],
    [
      'a field that does not exist',
      'leaderboards:\n  - key: a\n    name: A\n    eventName: kill-enemy\n    sort: asc\n',
      ['5:5 leaderboards.a.sort: there is no such field. Did you mean sortOrder?'],
    ],
    [
      'a key that occurs twice',
      'categories:\n  - { key: a, name: A }\n  - { key: a, name: B }\n',
      ['3:7 categories.a.key: "a" is the key of another one in this list'],
    ],
    [
      'a value of another kind, deep inside',
      'battlePasses:\n  - key: w\n    name: W\n    levels:\n      - key: one\n        position: first\n',
      ['6:9 battlePasses.w.levels.one.position: must be a number'],
    ],
    [
      'a text that is no text',
      'categories:\n  - key: a\n    name: 5\n',
      ['3:5 categories.a.name: must be text or an object'],
    ],
    [
      'an event that does not exist',
      'challenges:\n  - { key: a, name: A, goal: 1, eventName: kill-enemies }\n',
      ['2:33 challenges.a.eventName: is not an event of the catalogue. Did you mean kill-enemy?'],
    ],
    [
      'a property that the event does not have',
      'players:\n  - name: p\n    events:\n      kill-enemy:\n        perMinute: 1\n        properties: { laps: 3 }\n',
      ['6:23 players.0.events.kill-enemy.properties.laps: is not a property of kill-enemy'],
    ],
    ['a field twice', 'players: []\nplayers: []\n', ['2:1 Map keys must be unique']],
    ['no YAML', 'challenges:\n  - key: "a\n', ['3:1 Missing closing "quote']],
    ['a missing text', 'categories:\n  - key: a\n', ['2:5 categories.a.name: is required']],
    ['a list', '- key: a\n', ['1:1 must be an object']],
  ])('%s', (_, text, expected) => {
    expect(refusals(text)).toEqual(expected);
  });

  it('anchors that blow it up', () => {
    const levels = Array.from({ length: 9 }, (__, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
    expect(refusals(['a0: &a0 [x]', ...levels].join('\n'))).toEqual([expect.stringContaining('Excessive alias count')]);
  });
});

describe('examples/season.yaml', () => {
  it('is a season with players', () => {
    const { file } = readSeason(readFileSync('examples/season.yaml', 'utf8'));
    expect(file.players.map(({ name }) => name)).toEqual(['casual', 'dedicated']);
    expect(seasonOf(file).battlePasses[0]?.levels.map(({ position }) => position)).toEqual([1, 2, 3]);
  });
});

describe('a file that is nested thousands of levels deep', () => {
  it.each([
    ['in blocks', Array.from({ length: 3_000 }, (_, depth) => `${' '.repeat(depth)}a:\n`).join('')],
    ['in braces', '{a: '.repeat(5_000)],
    ['in lists', '- '.repeat(30_000)],
  ])('%s is refused in words', (_, text) => {
    expect(() => readSeason(text)).toThrow(FileUnreadable);
    expect(() => readSeason(text)).toThrow('nested too deeply');
  });
});

describe('writeSeason', () => {
  it('leaves out what goes without saying', () => {
    const text = `challenges:
  - key: first-blood
    name: First blood
    eventName: kill-enemy
    goal: 1
battlePasses:
  - key: winter
    name:
      en: Winter
      de: Winterzeit
    levels:
      - key: one
        challenges:
          - key: kill
            name: Kill
            eventName: kill-enemy
            goal: 3
      - key: five
        rewardType: coin
        position: 5
`;
    expect(writeSeason(season(text))).toBe(text);
  });

  it('keeps control characters from a terminal', () => {
    const name = 'a\u001b[2Jb\u202ec\u0085d\n\te';
    const written = writeSeason(season(`categories: [{ key: a, name: { de: ${JSON.stringify(name)} } }]`));
    expect(harmlessLines(written)).toBe(written);
    expect(season(written).categories).toMatchObject([{ name: { de: name } }]);
  });

  it('writes texts that tools of YAML 1.1 read as texts, too', () => {
    const names = [
      ...['no', 'YES', 'On', 'off', 'y', 'N', 'true', 'Null', '~', '=', '<<'],
      ...['12', '012', '0o7', '0b1', '0x1F', '1_000', '1e3', '.5', '-1.5', '.inf', '.NaN', '1:30', '190:20:30'],
      ...['2026-01-31', '2026-1-5T10:00:00Z', '- a', 'a: b', '#a', '&a', '*a', '!a', '@a', '%a', '?', '{a}', '[a]'],
    ];
    const categories = names.map((name, index) => ({ key: `k${index}`, name }));
    const written = writeSeason(seasonOf(SeasonFile.parse({ categories })));
    const byOthers = parse(written, { version: '1.1' }) as { categories: { name: unknown }[] };
    expect(byOthers.categories.map(({ name }) => name)).toEqual(names);
    expect(season(written).categories.map(({ name }) => name)).toEqual(names.map((en) => ({ en })));
  });

  it('writes a file that means the same season, whatever is in it', () => {
    const same = fc.property(seasonFile, (file) => {
      const meant = seasonOf(SeasonFile.parse(file));
      expect(season(writeSeason(meant))).toEqual(meant);
      expect(season(stringify(file))).toEqual(meant);
    });
    fc.assert(same, { numRuns: scale(40, 1_000) });
  });
});
