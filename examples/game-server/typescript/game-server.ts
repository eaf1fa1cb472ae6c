/**
 * What a game's server does with Earshot: lets players into voice, sends what they do, and hears what moderators decide.
 *
 *   EARSHOT_URL=… EARSHOT_PROJECT=… EARSHOT_API_KEY=… EARSHOT_WEBHOOK_SECRET=whsec_… PORT=3000 node game-server.ts
 *
 * The key needs the scopes tokens, sanctions:read and gameplay; `earshot webhooks create` shows the secret once.
 * Lines on standard input stand for the game: `join ann`, `kill ann`. Node.js runs TypeScript from 22.18 on.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, EarshotClient, routes, verifyWebhook, WebhookRefused } from 'earshot';

const { EARSHOT_URL: baseUrl = '', EARSHOT_API_KEY: key = '', EARSHOT_PROJECT: projectId = '' } = process.env;
const { EARSHOT_WEBHOOK_SECRET: secret = '', PORT: port = '3000' } = process.env;
const earshot = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
const params = { projectId };
const bodyBytesMax = 1024 * 1024;
const batchMax = 100;

/** Lets a player into the lobby, unless a ban is in force. */
async function join(player: string): Promise<string> {
  const active = await earshot.call(routes.sanctions.activeOfUser, { params: { ...params, externalUserId: player } });
  const ban = active.find(({ type }) => type === 'temp_ban' || type === 'perm_ban');
  if (ban !== undefined) return `${player} is banned: ${ban.reason}`;
  const body = { roomId: 'lobby', userId: player };
  const { url, token } = await earshot.call(routes.tokens.generateForProject, { params, body });
  return `${player} may join ${url} ${token}`;
}

interface GameEvent {
  readonly user_id: string;
  readonly event_name: string;
  readonly meta_data: Readonly<Record<string, unknown>>;
}
const events: GameEvent[] = [];

/**
 * Sends a batch until the daemon has a result for each event, whatever a proxy says meanwhile. Sent again, it has the same key,
 * so it counts once.
 */
async function send(batch: GameEvent[]): Promise<void> {
  const headers = { 'idempotency-key': randomUUID() };
  for (let waitMs = 1_000; ; waitMs = Math.min(2 * waitMs, 60_000)) {
    try {
      const { results } = await earshot.call(routes.gameplay.sendEvents, { headers, body: { events: batch } });
      console.log('batch of', batch.length, JSON.stringify(results.map(({ status }) => status)));
      for (const [index, { status, code, details }] of results.entries())
        if (status !== 200) console.log('refused', batch[index], code, details); // the daemon will never take this one
      if (results.length === batch.length) return;
    } catch (error) {
      console.log('batch of', batch.length, (error as Error).message); // says what to do
      const asked = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
      waitMs = Math.min(Math.max(waitMs, asked * 1_000), 60_000);
    }
    await sleep(waitMs);
  }
}

async function sendEvents(): Promise<never> {
  for (;;) {
    await sleep(1_000);
    if (events.length > 0) await send(events.splice(0, batchMax));
  }
}

/** A delivery may come twice, under the same id. A game keeps these ids in its database. */
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    if (!(Number(request.headers['content-length']) <= bodyBytesMax)) return response.writeHead(413).end();
    const event = await verifyWebhook(await buffer(request), request.headers, secret); // over the body as it came
    if (!handled.has(event.id)) console.log(event.type, event.resourceId);
    handled.add(event.id);
    response.writeHead(204).end();
  } catch (error) {
    response.writeHead(error instanceof WebhookRefused ? 400 : 500).end();
  }
});
server.listen(Number(port), '127.0.0.1');
void sendEvents();
for await (const line of createInterface({ input: process.stdin })) {
  const [action, player = ''] = line.split(' ');
  if (action === 'join') console.log(await join(player).catch(({ message }: Error) => message));
  else if (action === 'kill') events.push({ user_id: player, event_name: 'kill-enemy', meta_data: { amount: 1 } });
}
