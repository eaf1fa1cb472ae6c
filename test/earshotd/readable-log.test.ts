/** The log of the daemon on a terminal. */
import { describe, expect, it } from 'vitest';
import { readable } from '../../daemon/commands/readable-log.js';

const line = (fields: object): string => JSON.stringify({ level: 'info', time: '2026-01-01T12:00:00.000Z', ...fields });

describe('a log line on a terminal', () => {
  it('is time, level, sentence and fields', () => {
    const text = readable(line({ userId: 'u1', network: '::1', count: 2, msg: 'signed in' }), false);
    expect(text).toMatch(/^\d\d:\d\d:\d\d info {2}signed in {2}userId=u1 network=::1 count=2$/);
  });

  it('stays JSON where scripts wait for it, or where it is something else', () => {
    for (const text of [line({ http: 'http://127.0.0.1:8080', msg: 'listening' }), 'no JSON', '{"other":1}'])
      expect(readable(text, false)).toBe(text);
  });
});
