import { describe, expect, it } from 'vitest';
import { cell, record, table } from '../../src/cli/output.js';
import { harmless } from '../../src/printable.js';

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

describe('a terminal', () => {
  it('gets relative times and short cells', () => {
    const screen = { ...pipe, isTerminal: true };
    expect(cell('2026-01-01T12:10:00.000Z', screen)).toBe('in 10m');
    expect(table([{ content: 'x'.repeat(100) }], ['content'], screen).split('\n')[1]).toHaveLength(60);
  });

  it('never gets control characters of what players wrote', () => {
    expect(harmless('a\u001b[2Jb\u202ec')).toBe('a\\u001b[2Jb\\u202ec');
  });
});
