/** Lines are stored in another order than they were spoken. Whoever follows a session gets each once all the same. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wholeTranscript } from '../../src/cli/sessions/transcript.js';
import { type Message, sessionRoutes } from '../../src/contract/sessions/sessions.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('following a transcript', (start) => {
  let daemon: TestDaemon;
  let [aheadMs, rooms] = [0, 0];
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(Date.now() + aheadMs) });
  });
  afterAll(() => daemon.stop());

  const params = () => ({ projectId: daemon.projectId });
  const opened = async () => {
    rooms += 1;
    const body = { title: 'Hall', externalRoomId: `hall-${rooms}`, autoStart: false };
    const { id } = await daemon.client.call(sessionRoutes.create, { params: params(), body });
    return { params: { ...params(), id } };
  };
  const say = (at: Awaited<ReturnType<typeof opened>>, content: string) =>
    daemon.client.call(sessionRoutes.say, { ...at, body: { externalUserId: `u_${content.length}`, content } });
  const contents = (messages: readonly Message[]) => messages.map(({ content }) => content);

  it('shows lines that are stored late, which the order in which they were spoken passes by', async () => {
    const at = await opened();
    const next = (order: 'spoken' | 'stored', after?: string) =>
      daemon.client.call(sessionRoutes.messages, { ...at, query: { order, limit: 1, after } });
    await say(at, 'first');
    const [first] = await next('stored');
    aheadMs = -60_000;
    await say(at, 'before it, recognised late');
    aheadMs = 0;
    await say(at, 'last');
    const [late] = await next('stored', first?.id);
    expect(late?.content).toBe('before it, recognised late');
    expect(contents(await next('stored', late?.id))).toEqual(['last']);
    expect(contents(await next('spoken', first?.id))).toEqual(['last']);
    const whole = await wholeTranscript(daemon.client, at.params);
    expect(contents(whole)).toEqual(['before it, recognised late', 'first', 'last']);
    expect(whole).toEqual(await daemon.client.call(sessionRoutes.messages, at));
  });

  it('misses and repeats none while many are stored at once', async () => {
    const at = await opened();
    const seen: string[] = [];
    let after: string | undefined;
    let isOver = false;
    const follow = async () => {
      for (let page: Message[] = []; !isOver || page.length > 0; ) {
        page = await daemon.client.call(sessionRoutes.messages, { ...at, query: { order: 'stored', limit: 7, after } });
        seen.push(...contents(page));
        after = page.at(-1)?.id ?? after;
      }
    };
    const following = follow();
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
    for (let from = 0; from < lines.length; from += 30) {
      aheadMs = -1_000 * (from % 7);
      await Promise.all(lines.slice(from, from + 30).map((line) => say(at, line)));
    }
    isOver = true;
    await following;
    expect(seen.length).toBe(lines.length);
    expect(new Set(seen)).toEqual(new Set(lines));
  });
});
