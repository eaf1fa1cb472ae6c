/** Two daemons on one PostgreSQL: each event runs on one of them, and a slow plugin of one tenant costs no other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { installPlugin } from '../../daemon/modules/plugins/installed/admin-operations.js';
import { EarshotClient } from '../../src/client/earshot-client.js';
import { EventStream } from '../../src/client/event-stream.js';
import { annotationRoutes } from '../../src/contract/plugins/annotations.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { sessionActionRoutes } from '../../src/contract/plugins/session-actions.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { eventually } from '../support/eventually.js';
import { makeOtherProject } from '../support/other-tenant.js';
import { hasPostgresql } from '../support/postgresql.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { scale } from '../support/scale.js';
import { TwoDaemons } from '../support/two-daemons.js';

const messages = scale(12, 300);
/** Runs that a killed daemon had begun are taken over when their leases have ended. */
const kills = scale(0, 3);
const patienceMs = scale(60_000, 300_000);

describe.runIf(hasPostgresql)('plugins of two daemons on one PostgreSQL', () => {
  let pair: TwoDaemons;
  let receiver: Receiver;
  beforeAll(async () => {
    pair = await TwoDaemons.start({ EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' });
    receiver = await startReceiver();
  }, 60_000);
  afterAll(async () => {
    await receiver.stop();
    await pair.stop();
  });

  const install = (client: EarshotClient, projectId: string, pluginId: string) =>
    client.call(pluginInstanceRoutes.create, { params: { projectId }, body: { pluginId } });
  const uninstall = (id: string) =>
    pair.client(0).call(pluginInstanceRoutes.remove, { params: { ...pair.params(), id } });
  const say = (client: EarshotClient, projectId: string, id: string, content: string) =>
    client.call(sessionRoutes.say, { params: { projectId, id }, body: { externalUserId: 'u1', content } });

  it('annotate each message once, whoever ran and died', { timeout: 2 * patienceMs }, async () => {
    const { projectId } = pair;
    const announced: string[] = [];
    const stream = new EventStream(pair.client(0), { projectId, types: 'message.annotation.created' });
    const following = (async () => {
      for await (const notice of stream)
        if (notice.kind === 'event' && notice.event.type === 'message.annotation.created')
          if ('messageId' in notice.event.payload.data)
            announced.push(`${notice.event.payload.data.messageId} ${notice.event.payload.data.type}`);
    })();
    const instances = [];
    for (const slug of ['sentiment', 'toxicity']) instances.push(await install(pair.client(0), projectId, slug));
    const sessionId = await pair.session();
    const said: string[] = [];
    const speak = async (to: 0 | 1, until: number): Promise<void> => {
      while (said.length < until)
        said.push((await say(pair.client(to), projectId, sessionId, 'you are a terrible idiot')).id);
    };
    for (let part = 0; part <= kills; part += 1) {
      const until = ((part + 1) * messages) / (kills + 1);
      await Promise.all([speak(0, until), speak(1, until)]);
      if (part === kills) break;
      await pair.daemons[1].end('SIGKILL');
      await pair.daemons[1].start();
    }
    const expected = said.flatMap((id) => ['sentiment', 'toxicity'].map((type) => `${id} ${type}`)).sort();
    await eventually(async () => {
      expect(announced.toSorted()).toEqual(expected);
      const found = await pair.client(1).call(annotationRoutes.ofMessages, { body: { messageIds: said } });
      const kept = Object.values(found).flat();
      expect(kept.map(({ messageId, type }) => `${messageId} ${type}`).sort()).toEqual(expected);
    }, patienceMs);
    stream.close();
    await following;
    for (const { id } of instances) await uninstall(id);
  });

  it('run for one tenant while those of another hang and compute', { timeout: 2 * patienceMs }, async () => {
    receiver.behave = () => ({ hang: true });
    const [{ dataDir }] = pair.daemons;
    const about = { name: 'Of our own', description: 'For a test.', version: '1.0.0', kind: 'message' as const };
    const put = (slug: string, where: { endpoint: string } | { main: string }, code: string | null) =>
      askDaemon(dataDir, installPlugin, {
        manifest: { ...about, slug, events: ['message.created'], ...where },
        code,
      });
    await put('hangs', { endpoint: receiver.url }, null);
    await put('computes', { main: 'plugin.js' }, 'export default () => { for (;;); }');
    const noting = `export default () => ({ annotations: [{ type: 'note', content: {} }] })`;
    await put('notes', { main: 'plugin.js' }, noting);
    const { key, projectId } = await makeOtherProject(pair.databaseUrl, new Date());
    const baseUrl = pair.daemons[1].url;
    const other = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });
    for (const slug of ['sentiment', 'notes']) await install(other, projectId, slug);
    await other.call(settingsRoutes.put, { params: { projectId }, body: { tokenProvider: 'embedded' } });
    const room = { title: 'Match', externalRoomId: crypto.randomUUID(), autoStart: false };
    const { id } = await other.call(sessionRoutes.create, { params: { projectId }, body: room });

    const loud = { projectId: pair.projectId, sessionId: await pair.session() };
    const slow = [];
    for (const slug of ['hangs', 'computes']) slow.push(await install(pair.client(0), loud.projectId, slug));
    const shout = (which: 0 | 1) => say(pair.client(which), loud.projectId, loud.sessionId, 'hello');
    for (let count = 0; count < 12; count += 1) await Promise.all([shout(0), shout(1)]);
    await receiver.waitFor(4);

    const messageIds: string[] = [];
    for (let count = 0; count < 2; count += 1) messageIds.push((await say(other, projectId, id, 'a wonderful day')).id);
    await eventually(async () => {
      const found = await other.call(annotationRoutes.ofMessages, { body: { messageIds } });
      expect(messageIds.map((one) => (found[one] ?? []).map(({ type }) => type).sort())).toEqual(
        messageIds.map(() => ['note', 'sentiment']),
      );
    }, patienceMs);
    const params = { projectId: loud.projectId, id: loud.sessionId };
    const { plugins } = await pair.client(0).call(sessionActionRoutes.list, { params });
    const hanging = plugins.filter(({ slug }) => slug === 'hangs').flatMap(({ actions }) => actions);
    expect(hanging).toHaveLength(24);
    expect(hanging.filter(({ finishedAt }) => finishedAt !== null)).toEqual([]);
    for (const one of slow) await uninstall(one.id);
  });
});
