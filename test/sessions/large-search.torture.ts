/**
 * The transcript search over ten million messages, as `npm run bench -- search` asks it: writing them takes ten minutes and
 * ten gigabytes, so `npm run torture` alone does it.
 */
import { spawn } from 'node:child_process';
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const messages = 10_000_000;
const gigabytesMin = 14;
const bench = fileURLToPath(new URL('../../bench/run.mjs', import.meta.url));

it('finds the first page in a tenth of a second for rare words, in half a second for common ones', async () => {
  const { bavail, bsize } = statfsSync(tmpdir());
  expect((bavail * bsize) / 1e9, `gigabytes that are free in ${tmpdir()}`).toBeGreaterThan(gigabytesMin);
  const child = spawn(process.execPath, [bench, 'search', '--messages', String(messages)]);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(await ended, printed.join('\n')).toBe(0);
}, 3_600_000);
