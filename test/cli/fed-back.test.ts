/** What a list or an export prints is read back as the same: exported, imported into an empty project, exported again. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { battlePassLevelRoutes } from '../../src/contract/gameplay/battle-pass-levels.js';
import { battlePassRoutes } from '../../src/contract/gameplay/battle-passes.js';
import { challengeRoutes } from '../../src/contract/gameplay/challenges.js';
import { gameEventRoutes } from '../../src/contract/gameplay/game-event-export.js';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

/** Ids and texts that a spreadsheet, YAML or a careless reader takes for something else. */
const hostile = [
  ...['+491512345', '@bob', '=T', '-1', "'quoted", "'=x", '"', 'a"b', ';', 'a;b', 'a,b', 'a\tb', '0042', '007'],
  ...[
    'true',
    'null',
    'no',
    '1e3x',
    '1e5',
    "'1e5",
    '7.65612E+16',
    '76561198000000000',
    '76561198000000000.0',
    '#N/A',
    '12:30',
    '2026-01-31',
    '2026-01-31T10:00:00Z',
    '0x10',
    '~',
    '#x',
    '- a',
    '{x',
    '[x',
  ],
  ...[
    '🎮 emoji',
    'e\u0301',
    'ﬀ',
    '\uFEFFmark',
    'a\u202eb',
    'x: y',
    '%2F',
    'a/b',
    '<b>',
    '$(x)',
    '`',
    '\\',
    '*',
    '&a',
    '!t',
  ],
];
const texts = [...hostile, 'two\nlines', 'two\r\nlines', 'a \'b\' "c"; d,\te', ' space '];

let daemon: TestDaemon;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
beforeAll(async () => {
  daemon = await startDaemon();
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

let projects = 0;
async function emptyProject(): Promise<string> {
  projects += 1;
  const { id } = await daemon.admin.call(projectRoutes.create, { body: { name: `Empty ${projects}` } });
  return id;
}

const run = async (projectId: string, args: readonly string[], input = ''): Promise<string> => {
  const { code, stdout, stderr } = await cli.run([...args, '--project', projectId], { input });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

/** Carries everything over, and returns what each project has of it then, oldest first. */
async function carried(
  from: string,
  { out, back, state }: { out: string[]; back: string[]; state: (projectId: string) => Promise<unknown> },
) {
  const to = await emptyProject();
  await run(to, back, await run(from, out));
  return [await state(from), await state(to)];
}

const forms = [['--csv'], ['--json'], ['--items'], ['--json', '--all'], ['--csv', '--all']];

describe('sanctions list → sanctions apply', () => {
  let from: string;
  beforeAll(async () => {
    from = await emptyProject();
    const known = { externalUserId: hostile[0] ?? '', displayName: 'Known' };
    await daemon.client.call(participantRoutes.create, { params: { projectId: from }, body: known });
    for (const [index, externalUserId] of hostile.entries()) {
      const type = (['mute', 'perm_ban', 'temp_ban', 'warn', 'text_only'] as const)[index % 5] ?? 'mute';
      const ends = type === 'temp_ban' ? { endAt: '2100-01-31T10:00:00.000Z' } : {};
      const body = { type, externalUserId, reason: texts[texts.length - 1 - index] ?? 'x', ...ends };
      await daemon.client.call(sanctionRoutes.create, { params: { projectId: from }, body });
    }
  });

  it.each(forms)('%s %s', async (...form) => {
    const out = ['sanctions', 'list', ...form.filter(Boolean), ...(form.includes('--all') ? [] : ['--limit', '100'])];
    const [one, other] = await carried(from, {
      out,
      back: ['sanctions', 'apply', '-', '--new'],
      state: async (projectId) => {
        const { sanctions } = await daemon.client.call(sanctionRoutes.list, {
          params: { projectId },
          query: { limit: 200 },
        });
        return sanctions
          .map(({ type, externalUserId, reason, endAt }) => ({ type, externalUserId, reason, endAt }))
          .sort((a, b) => (String(a.externalUserId) < String(b.externalUserId) ? -1 : 1));
      },
    });
    expect(other).toEqual(one);
  });
});

describe('game-events export → game-events import', () => {
  let from: string;
  beforeAll(async () => {
    from = await emptyProject();
    const events = hostile.map((user_id, index) => ({
      user_id,
      event_name: 'kill-enemy',
      team_id: hostile[hostile.length - 1 - index] ?? null,
      session_id: hostile[index] ?? 'x',
      meta_data: { amount: index, weapon_used: texts[index] ?? 'x' },
    }));
    for (let first = 0; first < events.length; first += 20)
      await daemon.client.call(gameEventRoutes.import, {
        params: { projectId: from },
        body: { events: events.slice(first, first + 20) },
      });
  });

  it.each(['csv', 'ndjson'])('as %s', async (format) => {
    const [one, other] = await carried(from, {
      out: ['game-events', 'export', '--format', format],
      back: ['game-events', 'import', '-', '--again'],
      state: async (projectId) =>
        (await run(projectId, ['game-events', 'export']))
          .trim()
          .split('\n')
          .map((line) => ({ ...JSON.parse(line), id: '', createdAt: '' })),
    });
    expect(other).toHaveLength(hostile.length);
    expect(other).toEqual(one);
  });
});

describe('reports list → reports import', () => {
  let from: string;
  beforeAll(async () => {
    from = await emptyProject();
    for (const [index, externalUserId] of hostile.entries()) {
      const receivedAt = '2026-01-02T03:04:05.678Z';
      const notice = {
        from: hostile.at(-1 - index) ?? 'x',
        reference: externalUserId,
        trustedFlagger: index % 2 === 0,
        receivedAt,
      };
      const body = { externalUserId, category: 'threats', words: (texts[index + 3] ?? 'x').trim(), notice };
      await daemon.client.call(reportRoutes.create, { params: { projectId: from }, body });
    }
  });

  it.each(forms)('%s %s', async (...form) => {
    const out = ['reports', 'list', ...form.filter(Boolean), ...(form.includes('--all') ? [] : ['--limit', '100'])];
    const [one, other] = await carried(from, {
      out,
      back: ['reports', 'import', '-', '--id'],
      state: async (projectId) => {
        const { reports } = await daemon.client.call(reportRoutes.list, {
          params: { projectId },
          query: { limit: 200 },
        });
        return reports
          .map(({ externalUserId, category, words, noticeFrom, noticeReference, trustedFlagger, receivedAt }) => ({
            ...{ externalUserId, category, words, noticeFrom, noticeReference, trustedFlagger, receivedAt },
          }))
          .sort((a, b) => (String(a.externalUserId) < String(b.externalUserId) ? -1 : 1));
      },
    });
    expect(other).toEqual(one);
  });
});

describe('gameplay export → gameplay apply', () => {
  let from: string;
  beforeAll(async () => {
    from = await emptyProject();
    const params = { projectId: from };
    for (const [index, text] of texts.map((one) => one.trim()).entries()) {
      const name = { en: text, de: `${text}!` };
      const goal = { eventName: 'kill-enemy', goal: index + 1, reward: text, icon: text } as const;
      await daemon.client.call(challengeRoutes.create, { params, body: { name, description: name, ...goal } });
      await daemon.client.call(leaderboardRoutes.create, { params, body: { name, eventName: 'kill-enemy' } });
      const shown = { description: name, shortDescription: name, disclaimer: name, imageXs: text, readMoreLink: text };
      const dates = { startDate: '2027-01-31T23:59:59.999Z', endDate: index % 2 === 0 ? null : '2100-01-01T00:00:00Z' };
      const { id } = await daemon.client.call(battlePassRoutes.create, {
        params,
        body: { name, ...shown, ...dates, isUnlockedIncrementally: index % 2 === 0, priority: index },
      });
      for (const position of [2, 7])
        await daemon.client.call(battlePassLevelRoutes.create, {
          params: { ...params, id },
          body: {
            ...{
              position,
              rewardType: 'item',
              rewardAmount: text,
              premiumRewardType: 'coin',
              premiumRewardAmount: text,
            },
            challenges: [
              { name, description: name, eventName: 'kill-enemy', goal: position, icon: text },
              { name, eventName: 'kill-enemy', goal: 1, goalCondition: 1, durationMinutes: 5, xp: index },
            ],
          },
        });
    }
  });

  it.each([[[]], [['--json']]])('with %j', async (form) => {
    const [one, other] = await carried(from, {
      out: ['gameplay', 'export', ...form],
      back: ['gameplay', 'apply', '-f', '-'],
      state: (projectId) => run(projectId, ['gameplay', 'export']),
    });
    expect(other).toEqual(one);
    expect(one).toContain('premiumRewardAmount');
  });
});

describe('participants list', () => {
  it.each([['--csv'], ['--json'], ['--items']])('%s → gatherings invite', async (form) => {
    const from = await emptyProject();
    const params = { projectId: from };
    for (const [index, externalUserId] of hostile.entries())
      await daemon.client.call(participantRoutes.create, {
        params,
        body: { externalUserId, displayName: hostile.at(-1 - index) ?? 'x' },
      });
    await run(from, ['gatherings', 'create', 'Raid', '--max-members', '100']);
    const list = await run(from, ['participants', 'list', form, '--limit', '100']);
    const invited = JSON.parse(await run(from, ['gatherings', 'invite', 'Raid', '-', '--json'], list));
    expect(invited).toHaveLength(hostile.length);
  });
});
