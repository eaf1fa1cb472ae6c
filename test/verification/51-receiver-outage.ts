import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { accountRoutes } from '../../src/contract/identity/accounts.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { type WebhookEvent, webhookEventRoutes } from '../../src/contract/webhooks/webhook-events.js';
import { administrator } from '../support/daemon-process.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import type { Scene } from './scene.js';

const identified = z.object({ id: z.string() });
const outageMs = 120_000;
const perSecond = 10;
/** The third attempt comes five minutes after the second, give or take a fifth. */
const catchUpMs = 480_000;
const askEveryMs = 1_000;
const pageSize = 200;

/** Receiver as a studio would run one: takes a delivery when its signature is right, and notes what was said. */
const receiver = `import { createHmac } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const { 'x-timestamp': time, 'x-signature': signature } = request.headers;
  const expected = createHmac('sha256', process.env.SECRET).update(time + body).digest('hex');
  if (signature === expected) appendFileSync('received.txt', JSON.parse(body).payload.data.content + '\\n');
  response.writeHead(signature === expected ? 204 : 401).end();
}).listen(process.argv[2], '127.0.0.1', () => writeFileSync('receiver.pid', String(process.pid)));
`;

/** Resolves once nothing waits to be delivered. */
async function settled(client: EarshotClient, projectId: string): Promise<void> {
  const query = { status: 'pending', limit: 1 } as const;
  for (const end = Date.now() + catchUpMs; ; await sleep(askEveryMs)) {
    const [waiting] = await client.call(webhookEventRoutes.list, { params: { projectId }, query });
    if (waiting === undefined) return;
    if (Date.now() > end) throw new Error(`A delivery still waits: ${JSON.stringify(waiting)}`);
  }
}

/** The daemon's log of deliveries, whole. */
async function deliveries(client: EarshotClient, projectId: string): Promise<WebhookEvent[]> {
  const all: WebhookEvent[] = [];
  for (;;) {
    const query = { limit: pageSize, offset: all.length };
    const page = await client.call(webhookEventRoutes.list, { params: { projectId }, query });
    all.push(...page);
    if (page.length < pageSize) return all;
  }
}

export const scene: Scene = {
  title: 'A receiver of webhooks is killed for two minutes',
  long: true,
  settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' },
  async play(stage) {
    const anonymous = new EarshotClient({ baseUrl: stage.url });
    const { accessToken: token } = await anonymous.call(accountRoutes.loginCredentials, { body: administrator });
    const client = new EarshotClient({ baseUrl: stage.url, credential: { kind: 'bearer', token } });
    const projectId = (await client.call(projectRoutes.list, {}))[0]?.id ?? '';
    const body = { title: 'Match', externalRoomId: 'match', autoStart: false };
    const { id } = await client.call(sessionRoutes.create, { params: { projectId }, body });
    const port = await freePort();
    writeFileSync(join(stage.folder, 'receiver.mjs'), receiver);
    const received = () => readFileSync(join(stage.folder, 'received.txt'), 'utf8').trimEnd().split('\n');

    stage.tell('A studio has what is said sent to its back end. This stands in for it:');
    stage.show(receiver);
    const line = `SECRET=shared-by-both-sides node receiver.mjs ${port}`;
    const first = stage.start(line, { quiet: true });
    writeFileSync(join(stage.folder, 'secrets.json'), '{"secret":"shared-by-both-sides"}');
    const made = await stage.run(
      `earshot webhooks create --to http://127.0.0.1:${port}/hook --secrets-file secrets.json --events message.created --json`,
    );
    const { id: subscription } = identified.parse(JSON.parse(made.stdout));

    stage.tell(`People talk, up to ${perSecond} messages a second, and do not stop.`);
    let said = 0;
    let talking = true;
    const talk = (async () => {
      for (; talking; await sleep(1_000 / perSecond)) {
        const message = { externalUserId: 'u1', content: `message ${said + 1}` };
        await client.call(sessionRoutes.say, { params: { projectId, id }, body: message });
        said += 1;
      }
    })();
    await eventually(() => {
      if (received().length < 2 * perSecond) throw new Error('Nothing has arrived yet.');
    });

    stage.tell(`Then the receiver is killed, and stays away for ${outageMs / 60_000} minutes.`);
    await stage.run('kill -9 $(cat receiver.pid)');
    await first.ends();
    const since = new Date();
    await sleep(outageMs);
    await stage.run('earshot webhooks events --status pending --limit 5');
    const waiting = (await deliveries(client, projectId)).filter(({ status }) => status === 'pending');
    stage.check(`${waiting.length} deliveries wait for it`, waiting.length > (outageMs / 1_000) * (perSecond / 2));

    stage.tell(
      'It comes back. New messages arrive at once; the old ones come when it is their turn, five minutes later.',
    );
    const until = new Date();
    const second = stage.start(line, { quiet: true, within: 2 * catchUpMs });
    stage.tell('Who cannot wait sends one of them again by hand:');
    await stage.run(`earshot webhooks resend ${waiting[0]?.id}`);
    talking = false;
    await talk;
    await settled(client, projectId);

    stage.tell('All have arrived. The log says at which attempt:');
    const log = await deliveries(client, projectId);
    const attempts = [...new Set(log.map(({ attemptsCount }) => attemptsCount))].sort((a, b) => a - b);
    const countOf = (of: number) => log.filter(({ attemptsCount }) => attemptsCount === of).length;
    stage.show(attempts.map((of) => `${countOf(of)} at attempt ${of}`).join('\n'));
    const retried = log.find(({ attemptsCount }) => attemptsCount > 2);
    await stage.run(`earshot webhooks event ${retried?.id}`);
    const wanted = Array.from({ length: said }, (_, index) => `message ${index + 1}`);
    stage.check(`every one of ${said} messages has arrived, rightly signed`, isAmong(wanted, received()));
    stage.check(
      'each has a delivery in the log, and each was delivered',
      log.length === said && log.every(({ status }) => status === 'delivered'),
    );

    stage.tell('A studio that would rather have the two minutes once more, in their order, asks for a replay.');
    const before = received().length;
    await stage.run(
      `earshot webhooks replay ${subscription} --since ${since.toISOString()} --until ${until.toISOString()}`,
    );
    await settled(client, projectId);
    const replayed = received().slice(before);
    const numbers = replayed.map((content) => Number(content.split(' ')[1]));
    stage.check(
      `${replayed.length} messages came again, one after the other`,
      numbers.length >= waiting.length / 2 && numbers.every((number, index) => number === (numbers[0] ?? 0) + index),
    );
    await second.stop();
  },
};

const isAmong = (wanted: readonly string[], found: readonly string[]): boolean => {
  const set = new Set(found);
  return wanted.every((one) => set.has(one));
};
