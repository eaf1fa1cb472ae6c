/** The key that README makes can run the commands that stand above it. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiKeyRoutes } from '../../src/contract/identity/api-keys.js';
import { allScopes } from '../../src/contract/scopes.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const block = readme.split('```').find((part) => part.includes('api-keys create')) ?? '';
/** Sound, streams and other programs are played elsewhere. */
const playedElsewhere = /events tail|rooms speak|api-keys create|=\$\(|^for /;
const lines = block
  .split('\n')
  .filter((line) => line.startsWith('./bin/earshot.js') && !playedElsewhere.test(line))
  .map((line) => line.replace(/\s+#.*$/, '').replace('./bin/earshot.js ', ''));

let daemon: TestDaemon;
let key = '';
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: key }));
beforeAll(async () => {
  daemon = await startDaemon();
  const [, typed = ''] = /api-keys create .*--scopes (\S+)/.exec(block) ?? [];
  const scopes = allScopes.filter((scope) => typed.split(',').includes(scope));
  expect(scopes).toHaveLength(typed.split(',').length);
  ({ key } = await daemon.admin.call(apiKeyRoutes.create, { body: { name: 'readme', scopes } }));
});
afterAll(async () => {
  await daemon.stop();
  cli.dispose();
});

it('runs them all', { timeout: 60_000 }, async () => {
  expect(lines.length).toBeGreaterThan(8);
  await cli.json(['participants', 'create', 'u1']); // `rooms speak` makes them
  const ids: Record<string, string> = {};
  for (const line of lines) {
    const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare);
    const { code, stderr } = await cli.run(words.map((word) => ids[word] ?? word));
    expect(code, `${line}: ${stderr}`).toBe(0);
    if (line.startsWith('sessions create')) {
      const [session] = await cli.json<{ id: string }[]>(['sessions', 'list']);
      ids.$SESSION = session?.id ?? '';
    }
    if (line.startsWith('challenges create')) {
      const { challenges } = await cli.json<{ challenges: { id: string }[] }>(['challenges', 'list']);
      ids.$CHALLENGE = challenges[0]?.id ?? '';
    }
  }
  const sent = await cli.run(['game-events', 'send', 'kill-enemy', '--user', 'u1', '--amount', '1']);
  expect(sent.code, sent.stderr).toBe(0);
});
