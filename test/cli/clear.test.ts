/** `--clear FIELD` empties a field, as an emptied field of a form does. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sanction } from '../../src/contract/moderation/sanction-record.js';
import type { WebhookSubscription } from '../../src/contract/webhooks/webhooks.js';
import { type CommandLine, commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

let daemon: TestDaemon;
let cli: CommandLine;
beforeAll(async () => {
  daemon = await startDaemon();
  cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
});
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});

it('makes a sanction last until it is revoked', async () => {
  const terms = ['--type', 'mute', '--user', 'u_1', '--new', '--duration', '10m'];
  const { id } = await cli.json<Sanction>(['sanctions', 'issue', ...terms]);
  expect(await cli.json(['sanctions', 'update', id, '--clear', 'endAt'])).toMatchObject({ endAt: null });
});

it('takes the description of a webhook away', async () => {
  const more = ['--events', 'sanction.*', '--description', 'Discord'];
  const { id } = await cli.json<WebhookSubscription>(['webhooks', 'create', '--to', 'https://game.example/', ...more]);
  const cleared = await cli.json(['webhooks', 'update', id, '--clear', 'description']);
  expect(cleared).toMatchObject({ description: null, events: ['sanction.*'] });
});
