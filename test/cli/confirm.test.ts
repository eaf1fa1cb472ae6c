/** Commands that have no way back: a script needs --yes, and is refused without having changed anything. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandLine } from '../support/cli.js';
import { administrator, startDaemon, type TestDaemon } from '../support/daemon.js';
import { type Act, acts, irreversibleActs, words } from './irreversible.js';

let daemon: TestDaemon;
let ready: readonly Act[];
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_PROJECT: 'default' }));
beforeAll(async () => {
  daemon = await startDaemon();
  const login = ['login', '--email', administrator.email, '--password-stdin'];
  await cli.run(login, { input: administrator.password });
  ready = await irreversibleActs(cli);
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

describe('what has no way back', () => {
  it.each(acts.map(({ file }, place) => ({ file, place })))('$file needs --yes in a script', async ({ place }) => {
    const { line, gone, read, isGone } = ready[place] as Act;
    const shown = async () => {
      const { code, stdout } = await cli.run([...words(read), '--json']);
      return { code, stdout };
    };
    const before = await shown();
    expect(before.code).toBe(0);
    const refused = await cli.run(words(line));
    expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(gone) });
    expect(refused.stderr).toContain('add --yes');
    expect(await shown()).toEqual(before);
    expect(await cli.run([...words(line), '--yes'])).toMatchObject({ code: 0 });
    const after = await shown();
    expect(after).not.toEqual(before);
    expect(after.code === 0).toBe(!isGone);
  });
});
