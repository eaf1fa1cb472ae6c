/** What sanctions do to written lines, as docs/moderation.md says it for each kind. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askDaemon } from '../../daemon/admin-socket/client.js';
import { installPlugin } from '../../daemon/modules/plugins/installed/admin-operations.js';
import { sanctionTypes } from '../../src/contract/moderation/sanction-kinds.js';
import type { SanctionType } from '../../src/contract/moderation/sanction-record.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { pluginInstanceRoutes } from '../../src/contract/plugins/plugins.js';
import { RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { tokenRoutes } from '../../src/contract/rooms/tokens.js';
import { Message, sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { webhookRoutes } from '../../src/contract/webhooks/webhooks.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { startReceiver } from '../support/receiver.js';
import { openStream } from '../support/stream.js';

let daemon: TestDaemon;
let sessionId: string;
const params = () => ({ projectId: daemon.projectId });
beforeAll(async () => {
  daemon = await startDaemon({ settings: { EARSHOT_OUTBOUND_ALLOW: '127.0.0.0/8' } });
  const body = { title: 'Chat', externalRoomId: 'chat', autoStart: false };
  ({ id: sessionId } = await daemon.client.call(sessionRoutes.create, { params: params(), body }));
});
afterAll(() => daemon.stop());

const write = (externalUserId: string, content: string, more: { judged?: boolean } = {}) =>
  daemon.client.call(sessionRoutes.say, {
    params: { ...params(), id: sessionId },
    body: { externalUserId, content, ...more },
  });
const impose = (type: SanctionType, externalUserId: string, more: { sessionId?: string; duration?: number } = {}) =>
  daemon.client.call(sanctionRoutes.create, {
    params: params(),
    body: { type, externalUserId, reason: 'spam', ...(type === 'temp_ban' ? { duration: 600 } : {}), ...more },
  });
const eventsOf = async (userId: string, permissions = {}) => {
  const body = { roomId: 'chat', userId, permissions };
  const { token } = await daemon.client.call(tokenRoutes.generateForProject, { params: params(), body });
  const stream = await openStream(`${daemon.url}/rooms/chat/events`, { Authorization: `Bearer ${token}` });
  await stream.next(15_000); // room.state
  return stream;
};

/** By kind: the refusal of a written line; null: it is stored. */
const refused: Readonly<Record<SanctionType, string | null>> = {
  mute: 'participant_muted',
  listen_only: 'participant_muted',
  text_only: null,
  text_mute: 'participant_muted',
  shadow_mute: null,
  rate_limit: 'participant_limited',
  temp_ban: 'participant_banned',
  perm_ban: 'participant_banned',
  party_restriction: null,
  queue_delay: null,
  ranked_restriction: null,
  warn: null,
  human_review: null,
};

describe('a written line', () => {
  it.each([...sanctionTypes])(
    'of somebody under %s is stored or refused, and stored if the caller has judged it',
    async (type) => {
      const who = `u-${type}`;
      const { endAt } = await impose(type, who);
      const code = refused[type];
      const written = write(who, 'hello');
      if (code === null) await expect(written).resolves.toMatchObject({ shadowMuted: type === 'shadow_mute' });
      else
        await expect(written).rejects.toMatchObject({
          ...{ status: 403, code, message: expect.stringContaining('spam') },
          details: endAt === null ? [] : [{ path: 'until', message: endAt }],
        });
      await expect(write(who, 'judged', { judged: true })).resolves.toMatchObject({ content: 'judged' });
      const messages = await daemon.client.call(sessionRoutes.messages, { params: { ...params(), id: sessionId } });
      const own = messages.filter(({ externalUserId }) => externalUserId === who).map(({ content }) => content);
      expect(own).toEqual(code === null ? ['hello', 'judged'] : ['judged']);
    },
  );

  it('is refused in the room of the session that the mute is for, and taken elsewhere', async () => {
    const body = { title: 'Other', externalRoomId: 'other', autoStart: false };
    const { id: other } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    await impose('mute', 'here', { sessionId });
    await expect(write('here', 'hello')).rejects.toMatchObject({ code: 'participant_muted' });
    const elsewhere = { params: { ...params(), id: other }, body: { externalUserId: 'here', content: 'hello' } };
    await expect(daemon.client.call(sessionRoutes.say, elsewhere)).resolves.toMatchObject({ content: 'hello' });
  });

  it('of a shadow-muted person is shown to them and to moderators, and to nobody else', async () => {
    await impose('shadow_mute', 'shade');
    const [shade, mod, ben] = await Promise.all([
      eventsOf('shade'),
      eventsOf('mod', { moderate: true }),
      eventsOf('ben'),
    ]);
    await write('shade', 'psst');
    await write('ann', 'hello');
    const read = async (stream: typeof ben) => {
      const lines: string[] = [];
      while (lines.at(-1) !== 'hello') {
        const event = RoomStreamEvent.parse((await stream.next(15_000)).data);
        if (event.type === 'message') lines.push(event.message.content);
      }
      return lines;
    };
    expect(await read(ben)).toEqual(['hello']);
    expect(await read(shade)).toEqual(['psst', 'hello']);
    expect(await read(mod)).toEqual(['psst', 'hello']);
    for (const stream of [shade, mod, ben]) stream.close();
  });

  it('of a shadow-muted person leaves the daemon with the mark, to webhooks and to plugins that call others', async () => {
    const receiver = await startReceiver();
    const body = { url: receiver.url, secret: 'a long secret', events: ['message.created'] };
    await daemon.client.call(webhookRoutes.create, { params: params(), body });
    const manifest = {
      ...{ slug: 'caller', name: 'Caller', description: 'For a test.', version: '1.0.0', kind: 'message' as const },
      ...{ events: ['message.created'], main: 'plugin.js' },
    };
    const code = `export default async (event) => {
      await fetch('${receiver.url}', { method: 'POST', headers: {}, body: JSON.stringify(event) });
      return null;
    };`;
    await askDaemon(daemon.dataDir, installPlugin, { manifest, code });
    await daemon.client.call(pluginInstanceRoutes.create, { params: params(), body: { pluginId: 'caller' } });
    await impose('shadow_mute', 'dusk');
    await write('dusk', 'psst');
    await write('ann', 'hello');
    const came = (await receiver.waitFor(4)).map(({ body: text }) => Message.parse(JSON.parse(text).payload.data));
    const marked = came.map(({ content, shadowMuted }) => `${content} ${shadowMuted}`);
    expect(marked.toSorted()).toEqual(['hello false', 'hello false', 'psst true', 'psst true']);
    await receiver.stop();
  });
});
