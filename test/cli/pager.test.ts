/** A long list on a terminal: shown once by the pager that PAGER names, and never lost. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sanctionBatchRoutes } from '../../src/contract/moderation/sanction-batches.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { hasTerminal, onTerminal } from '../support/terminal.js';

const program = createRequire(import.meta.url).resolve('../../bin/earshot.js');
const folder = mkdtempSync(join(tmpdir(), 'earshot-cli-'));
/** So many that the list does not fit into a pipe that nobody reads. */
const count = 1_500;

describe.skipIf(!hasTerminal)('a list that is longer than the terminal', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startDaemon();
    const items = Array.from({ length: count }, (_, index) => ({
      ...{ type: 'warn' as const, externalUserId: 'raider', reason: `${'界'.repeat(50)}${index}` },
    }));
    const params = { projectId: daemon.projectId };
    await daemon.client.call(sanctionBatchRoutes.apply, { params, body: { batchId: 'raid', items } });
  });
  afterAll(async () => {
    await daemon.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const shownBy = async (pager: string, { rows = 10, term = 'xterm' } = {}) => {
    const earshot = `stty rows ${rows} cols 200; '${process.execPath}' '${program}' sanctions history raider`;
    const terminal = onTerminal(earshot, {
      ...{ PAGER: pager, TERM: term, XDG_CONFIG_HOME: folder, EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey },
    });
    return { code: await terminal.ended, shown: terminal.shown };
  };
  const headings = (shown: string) => shown.split('START AT').length - 1;

  it('is shown once where the pager is read to the end', async () => {
    const { code, shown } = await shownBy("sed 's/^/paged: /'");
    expect({ code, headings: headings(shown) }).toEqual({ code: 0, headings: 1 });
    expect(shown.split('paged: ').length - 1).toBeGreaterThan(count);
  });

  it('is not shown again where the reader leaves the pager early', async () => {
    const { code, shown } = await shownBy('head -c 20 >/dev/null; echo seen enough');
    expect({ code, headings: headings(shown) }).toEqual({ code: 0, headings: 0 });
    expect(shown).toContain('seen enough');
  });

  it.each([
    ['has told nobody its height', { rows: 0 }],
    ['is called dumb', { term: 'dumb' }],
    ['has no name', { term: '' }],
  ])('is shown without the pager where the terminal %s', async (_, terminal) => {
    const { code, shown } = await shownBy("sed 's/^/paged: /'", terminal);
    expect({ code, headings: headings(shown) }).toEqual({ code: 0, headings: 1 });
    expect(shown).not.toContain('paged: ');
  });

  it('is shown where there is no such pager', async () => {
    const { code, shown } = await shownBy('no-such-pager');
    expect({ code, headings: headings(shown) }).toEqual({ code: 0, headings: 1 });
    expect(shown.split('warn ').length - 1).toBe(count);
  });
});
