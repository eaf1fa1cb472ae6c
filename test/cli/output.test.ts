import { describe, expect, it } from 'vitest';
import { boardView } from '../../src/cli/gameplay/leaderboard-view.js';
import { cell, record, Table, table } from '../../src/terminal/output.js';
import { harmless } from '../../src/text/printable.js';

const pipe = { isTerminal: false, now: new Date('2026-01-01T12:00:00.000Z') };

describe('a pipe', () => {
  it('gets aligned columns and ISO times, and no decoration', () => {
    const rows = [
      { id: 'a', endAt: '2026-01-01T12:10:00.000Z', bot: { state: 'listening' } },
      { id: 'long', endAt: null, bot: { state: 'idle' } },
    ];
    expect(table(rows, ['id', 'endAt', 'bot.state'], pipe)).toBe(
      [
        'ID    END AT                    BOT STATE',
        'a     2026-01-01T12:10:00.000Z  listening',
        'long  -                         idle',
      ].join('\n'),
    );
    expect(record({ id: 'a', endAt: null }, pipe)).toBe('id     a\nendAt  -');
    expect(record({ bot: { state: 'idle' }, scopes: ['a', 'b'] }, pipe)).toBe('bot.state  idle\nscopes     a, b');
  });
});

describe('columns', () => {
  const rows = [{ id: '01a20449-796b-7f70-a8cd-ce9b0e1ca5dd', name: '日本語' }];
  const lines = (screen: typeof pipe) => table(rows, ['id', 'name'], screen).split('\n');

  it('stay where they are in a pipe, and have ids behind the names on a terminal', () => {
    expect(lines(pipe)[1]).toBe('01a20449-796b-7f70-a8cd-ce9b0e1ca5dd  日本語');
    expect(lines({ ...pipe, isTerminal: true })[1]).toBe('日本語  01a20449-796b-7f70-a8cd-ce9b0e1ca5dd');
  });

  it('of later pages stand under the names of the first, whole in a pipe and cut on a terminal', () => {
    const next = [
      { id: 'short', name: 'x'.repeat(9) },
      { id: 'a'.repeat(40), name: 'b' },
    ];
    expect(new Table(rows, ['id', 'name'], pipe).lines(next)).toEqual([
      `${'short'.padEnd(36)}  ${'x'.repeat(9)}`,
      `${'a'.repeat(40)}  b`,
    ]);
    const seen = new Table(rows, ['id', 'name'], { ...pipe, isTerminal: true }).lines(next);
    expect(seen).toEqual(['xxxxx…  short', `b       ${'a'.repeat(35)}…`]);
  });

  it('of very many rows are measured', () => {
    expect(table(Array(200_000).fill({ n: 1 }), ['n'], pipe)).toHaveLength(400_001);
  });
});

describe('a terminal', () => {
  it('gets relative times and short cells', () => {
    const screen = { ...pipe, isTerminal: true };
    expect(cell('2026-01-01T12:10:00.000Z', screen)).toBe('in 10m');
    expect(table([{ content: 'x'.repeat(100) }], ['content'], screen).split('\n')[1]).toHaveLength(60);
  });

  it('gets columns that stand below each other, and fit, where names take two columns a letter', () => {
    const rows = [
      { name: '漢字の名前', score: 7 },
      { name: 'Ann 🎮', score: 12 },
    ];
    const screen = { ...pipe, isTerminal: true };
    expect(table(rows, ['name', 'score'], screen).split('\n').slice(1)).toEqual(['漢字の名前  7', 'Ann 🎮      12']);
    const long = [{ name: '漢字'.repeat(20), score: 7 }];
    expect(table(long, ['name', 'score'], { ...screen, width: 30 }).split('\n')[1]).toBe(`${'漢字'.repeat(5)}漢…  7`);
  });

  it('gets scores in one column, whatever script the names are in', () => {
    const entry = { memberType: 'user' as const, memberId: 'u_1', rank: 1, score: 4 };
    const entries = ['漢字', 'Ann', 'ก็'].map((username) => ({ ...entry, info: { username, avatarImage: null } }));
    const lines = boardView(entries, { ...pipe, isTerminal: true, width: 80 }).split('\n');
    expect(lines.map((line) => line.split('4')[0])).toEqual(['1  漢字  ', '1  Ann   ', '1  ก็     ']);
  });

  it('never gets control characters of what players wrote', () => {
    expect(harmless('a\u001b[2Jb\u202ec')).toBe('a\\u001b[2Jb\\u202ec');
  });
});
