/** `--since 10m` is counted from the daemon's time, whatever the clock of this machine shows. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { askForTime, daemonNow, hasRelativeTime } from '../../src/cli/typed/daemon-clock.js';
import { requestFrom } from '../../src/cli/typed/fields.js';
import { madeQuery } from '../../src/contract/common.js';

const minuteMs = 60_000;

/** Asks a server whose clock is ahead by so much. */
async function askServerAhead(aheadMs: number): Promise<void> {
  const server = createServer((_, response) => {
    response.setHeader('Date', new Date(Date.now() + aheadMs).toUTCString());
    response.end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await askForTime(`http://127.0.0.1:${port}`);
  await new Promise((closed) => server.close(closed));
}
const aheadMs = () => daemonNow().getTime() - Date.now();

describe('a time counted from now', () => {
  afterEach(() => askServerAhead(0));

  it.each([[30 * minuteMs], [-30 * minuteMs]])('goes by a daemon that is %i ms ahead', async (ahead) => {
    await askServerAhead(ahead);
    const { since } = requestFrom(z.object(madeQuery('rows')), { since: '10m' });
    const expected = Date.now() + ahead - 10 * minuteMs;
    expect(Math.abs(Date.parse(String(since)) - expected)).toBeLessThan(minuteMs);
  });

  it('goes by this machine where the clocks agree, or nothing answers', async () => {
    await askServerAhead(0);
    expect(aheadMs()).toBe(0);
    await askForTime('http://127.0.0.1:9');
    expect(aheadMs()).toBe(0);
  });

  it.each(['10m', 'now', '2 hours ago', 'in 2h', '2h30m', 'sessions:30d'])('is one in %s', (typed) => {
    expect(hasRelativeTime([typed])).toBe(true);
  });

  it.each(['yesterday', '2026-01-31T18:00:00Z', 'ada', 'room-1', ''])('is none in "%s"', (typed) => {
    expect(hasRelativeTime([typed])).toBe(false);
  });
});
