/** The Godot kit in both engines against a whole daemon: operations, the queue of events, streams, and what goes wrong on the way. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { challengeRoutes } from '../../../src/contract/gameplay/challenges.js';
import { leaderboardRoutes } from '../../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../../src/contract/gameplay/players.js';
import { sanctionRoutes } from '../../../src/contract/moderation/sanctions.js';
import { tokenRoutes } from '../../../src/contract/rooms/tokens.js';
import { startDaemon, type TestDaemon } from '../../support/daemon.js';
import { eventually } from '../../support/eventually.js';
import { fillingDisk } from '../../support/small-disk.js';
import { type Engine, hasGodot3, hasGodot4, openEngine } from './engines.js';
import { type Fault, FaultyProxy } from './faulty-proxy.js';

const disk = hasGodot3 ? fillingDisk() : null;
afterAll(() => disk?.remove());
const day = 86_400_000;

describe.each([
  { version: 3 as const, here: hasGodot3 },
  { version: 4 as const, here: hasGodot4 },
])('the Godot kit in Godot $version', ({ version, here }) => {
  if (!here) return it.skip('needs godot3-server, or Chromium for Godot 4', () => {});

  let daemon: TestDaemon;
  let engine: Engine;
  let proxy: FaultyProxy;
  let challengeId: string;
  let leaderboardId: string;
  let clockMs = 0;
  let users = 0;
  let userId: string;

  const token = async () =>
    (await daemon.client.call(playerRoutes.createToken, { params: { projectId: daemon.projectId, userId } })).token;
  const options = () => ({ base_url: proxy.url, project_id: daemon.projectId, flush_interval_ms: 100_000 });
  const asPlayer = async (more: object = {}) =>
    expect(
      await engine.run('player', 'configure', { ...options(), user_id: userId, token: await token(), ...more }),
    ).toBeNull();
  /** As the addon names the files of a player. */
  const nameOfQueue = () => createHash('sha256').update(`${daemon.projectId}/${userId}`).digest('hex').slice(0, 16);
  const kill = (amount = 1) => engine.run('player.events', 'enqueue', 'kill-enemy', { amount });
  const begin = async () => {
    expect(await engine.call('player', 'unlock_personal_challenge', challengeId)).toMatchObject({ ok: true });
    expect(await engine.call('player', 'activate_personal_challenge', challengeId)).toMatchObject({ ok: true });
  };
  const score = async () => {
    const { data } = await engine.call('player', 'get_personal_challenge_by_id', challengeId);
    return (data as { user_challenge_current_score: number }).user_challenge_current_score;
  };

  beforeAll(async () => {
    engine = await openEngine(version);
    daemon = await startDaemon({
      now: () => new Date(Date.now() + clockMs),
      settings: { EARSHOT_CORS_ORIGINS: engine.origin },
    });
    proxy = new FaultyProxy(() => daemon.url);
    await proxy.start();
    await engine.start();
    const params = { projectId: daemon.projectId };
    const challenge = await daemon.client.call(challengeRoutes.create, {
      params,
      body: { name: 'Many down', eventName: 'kill-enemy', goal: 1_000_000 },
    });
    challengeId = challenge.id;
    const board = await daemon.client.call(leaderboardRoutes.create, {
      params,
      body: { name: 'Kills', eventName: 'kill-enemy' },
    });
    leaderboardId = board.id;
  });
  afterAll(async () => {
    await engine?.dispose();
    proxy?.stop();
    await daemon?.stop();
  });
  beforeEach(async () => {
    proxy.reset();
    proxy.cut(); // Godot 4.6 never ends a request in a browser, which has six connections to a host
    engine.signals.length = 0;
    users += 1;
    userId = `player ${users}`;
    await asPlayer();
  });

  describe('operations', () => {
    it('read and change what a player has', async () => {
      expect(await engine.call('player', 'set_user_info', { username: 'Zoë', avatarImage: null })).toMatchObject({
        ok: true,
      });
      expect((await engine.call('player', 'get_user_info')).data).toEqual({ username: 'Zoë', avatarImage: null });
      await begin();
      expect(await kill(3_000_000)).toBeNull();
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      expect((await engine.call('player', 'get_leaderboard_around_me', leaderboardId, 2)).data).toMatchObject({
        member: { member_id: userId, score: 3_000_000 },
        around: [{ member_id: userId }],
      });
      const claimed = await engine.call('player', 'claim_personal_challenge_reward', challengeId);
      expect(claimed.data).toMatchObject({ message: 'OK', challenge: { type: 'finished' } });
      expect(await engine.call('player', 'get_active_battle_passes')).toMatchObject({ ok: true, data: [] });
    });

    it('tell refusals by code, status and message', async () => {
      const { ok, error } = await engine.call('player', 'get_personal_challenge_by_id', 'no such/one?');
      expect({ ok, error }).toMatchObject({
        ok: false,
        error: {
          code: 'challenge_not_found',
          status: 404,
          isPassing: false,
          message: expect.stringMatching(/challenge/),
        },
      });
      expect(error?.requestId).not.toBe('');
      const wrong = await engine.call('player', 'set_user_info', { userName: 'x' });
      expect(wrong.error).toMatchObject({ code: 'unknown_field', message: expect.stringContaining('username') });
      expect(await engine.run('player', 'configure', { base_url: 'localhost' })).toMatchObject({
        code: 'address_invalid',
      });
    });

    it('read a list to its end', async () => {
      const link = (language: string) => ({ Link: `</api/v1/leaderboards?language=${language}>; rel="next"` });
      proxy.spoil(/battle-passes/, { status: 200, headers: link('de'), body: '[{"n":1}]' });
      proxy.spoil(/language=de/, { status: 503 }, { status: 200, headers: link('fr'), body: '[{"n":2}]' });
      const { data } = await engine.call('player', 'get_battle_passes');
      expect(data).toMatchObject([{ n: 1 }, { n: 2 }, { leaderboard_id: leaderboardId }]);
    });

    it('read a list to its end from a daemon below a path of its host', async () => {
      await asPlayer({ base_url: `${proxy.url}/games/api/` });
      const rest = { Link: '</games/api/api/v1/battle-passes?part=2>; rel="next"' };
      proxy.spoil(/games\/api\/api\/v1\/battle-passes/, { status: 200, headers: rest, body: '[{"n":1}]' });
      proxy.spoil(/games\/api\/api\/v1\/battle-passes\?part=2/, { status: 200, body: '[{"n":2}]' });
      expect((await engine.call('player', 'get_battle_passes')).data).toMatchObject([{ n: 1 }, { n: 2 }]);
      await asPlayer();
    });

    it('are those of a game server: gatherings, standing, tokens', async () => {
      await engine.run('server', 'configure', { ...options(), api_key: daemon.apiKey });
      const { data: person } = await engine.call('server', 'create_participant', { externalUserId: userId });
      const participantId = (person as { id: string }).id;
      const { data: lobby } = await engine.call('server', 'create_gathering', {
        name: 'Raid',
        maxMembers: 4,
        properties: { map: 'dust', big: 3_000_000_000 },
        description: null,
      });
      const { id, joinCode } = lobby as { id: string; joinCode: string };
      const joined = await engine.call('server', 'join_gathering', { joinCode, participantId });
      expect(joined.data).toMatchObject({ success: true, gathering: { properties: { big: 3_000_000_000 } } });
      const memberId = (joined.data as { member: { id: string } }).member.id;
      const left = await engine.call('server', 'remove_gathering_member', id, memberId);
      expect(left).toEqual({ ok: true, data: null, error: null });
      expect((await engine.call('server', 'get_gathering', id, true)).data).toMatchObject({ memberCount: 0 });
      expect((await engine.call('server', 'list_gatherings', 1)).data).toMatchObject({ limit: 1 });

      await daemon.client.call(sanctionRoutes.create, {
        params: { projectId: daemon.projectId },
        body: { type: 'mute', externalUserId: userId, reason: 'noise' },
      });
      const standing = await engine.call('server', 'list_active_user_sanctions', userId);
      expect(JSON.stringify(standing.data)).toContain('"mute"');
      expect((await engine.call('server', 'create_player_token', userId)).data).toMatchObject({
        token: expect.any(String),
      });
    });
  });

  describe('the queue of events', () => {
    it('sends batches, and reports the event that was refused', async () => {
      await begin();
      await kill(1);
      await engine.run('player.events', 'enqueue', 'kill-enemies', { amount: 1 });
      await kill(2);
      expect(await engine.run('player.events', 'waiting')).toBe(3);
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      const [event, error] = await engine.emitted('player.events.rejected');
      expect(event).toMatchObject({ event_name: 'kill-enemies' });
      expect(error).toMatchObject({ code: 'unknown_event', status: 404 });
      expect(await engine.emitted('player.events.sent')).toEqual([2]);
      expect(proxy.seen.filter((request) => request.includes('/events/batch'))).toHaveLength(1);
      expect(await score()).toBe(3);
    });

    it('sends by itself after the interval', async () => {
      await asPlayer({ flush_interval_ms: 300 });
      await kill();
      await kill();
      expect(await engine.emitted('player.events.sent')).toEqual([2]);
    });

    it('counts an event once whose answer was lost', async () => {
      await begin();
      proxy.spoil(/batch/, 'lose', 'cut');
      await kill(5);
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: false, error: { code: 'unreachable' } });
      await kill(7);
      await engine.emitted('player.events.sent');
      expect(new Set(proxy.keys.slice(-3)).size).toBe(1);
      expect(await score()).toBe(12);
    });

    it('keeps the events while the daemon is away, and over a restart of the game', async () => {
      await begin();
      proxy.spoil(/batch/, { status: 503 }, { status: 503 }, { status: 503 }, { status: 503 });
      await kill(1);
      await kill(2);
      expect(await engine.call('player.events', 'flush')).toMatchObject({
        error: { code: 'unknown', status: 503, isPassing: true },
      });
      await new Promise((resolve) => setTimeout(resolve, version === 4 ? 1_500 : 0)); // the browser stores files later
      await engine.kill();
      await daemon.restart();
      proxy.reset();
      await engine.start();
      await asPlayer();
      expect(await engine.run('player.events', 'waiting')).toBe(2);
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      expect(await score()).toBe(3);
    });

    it('sends text that Godot would write as JSON that nobody reads', async () => {
      await begin();
      const strange = 'a\u0001\u000b\\v\\\u001f"\n\t\u2028é😀';
      await engine.run('player.events', 'enqueue', 'kill-enemy', { amount: 3, realm: strange });
      await engine.call('player.events', 'flush');
      expect(await engine.emitted('player.events.sent')).toEqual([1]);
      expect(await score()).toBe(3);
      const { data } = await engine.call('player', 'set_user_info', { username: strange });
      expect(data).toMatchObject({ username: 'a\\v\\"\n\t\u2028é😀' });
    });

    it('keeps what something else than the daemon refuses, and counts it once', async () => {
      await begin();
      const answers: Fault[] = [400, 403, 404, 413, 422].map((status) => ({ status, body: '<html>no</html>' }));
      const lies = ['{}', '[]', '{"results":[]}', '{"results":[{},{},{}]}', '{"results":null}'];
      for (const amount of [1, 2, 4]) await kill(amount);
      for (const fault of [...answers, ...lies.map((body) => ({ status: 200, body }))]) {
        await asPlayer(); // else the wait after the fault before goes on
        proxy.reset();
        proxy.spoil(/batch/, fault, fault, fault); // a batch of three is cut twice at most
        expect(await engine.call('player.events', 'flush'), JSON.stringify(fault)).toMatchObject({ ok: false });
        expect(await engine.run('player.events', 'waiting')).toBe(3);
      }
      proxy.reset();
      await asPlayer();
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      expect(engine.signals.filter(({ signal }) => signal === 'player.events.rejected')).toEqual([]);
      expect(await score()).toBe(7);
    });

    it('waits between its tries at an answer that is none', async () => {
      proxy.spoil(/batch/, ...Array.from({ length: 100 }, () => ({ status: 200, body: '{}' })));
      await kill();
      await engine.call('player.events', 'flush');
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      expect(proxy.seen.filter((request) => request.includes('batch')).length).toBeLessThan(5);
    });

    it('finds the event for which the daemon refuses the whole batch', async () => {
      await begin();
      const details = [{ path: 'body', message: 'x' }];
      const body = JSON.stringify({ code: 'malformed_json', message: 'no JSON', requestId: 'r', details });
      const refused = { status: 400, body };
      proxy.spoil(/batch/, refused, refused, refused);
      for (const amount of [1, 2, 4, 8]) await kill(amount);
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      const [event, error] = await engine.emitted('player.events.rejected');
      expect(event).toMatchObject({ meta_data: { amount: 1 } });
      expect(error).toMatchObject({ code: 'malformed_json', details });
      expect(await score()).toBe(14);
    });

    it('counts each event once, however batches are cut after a lost answer and after a restart', async () => {
      await begin();
      const sent = () => proxy.seen.filter((one) => one.includes('batch')).length;
      proxy.spoil(/batch/, 'lose', { status: 429, headers: { 'Retry-After': '1' } }, { status: 413 }, 'lose', 'hang');
      for (let index = 0; index < 10; index += 1) await kill(1);
      await engine.call('player.events', 'flush');
      await eventually(() => expect(sent()).toBeGreaterThanOrEqual(5));
      await new Promise((resolve) => setTimeout(resolve, version === 4 ? 1_500 : 0));
      await engine.kill();
      proxy.reset();
      await engine.start();
      await asPlayer({ max_batch: 3 });
      expect(await engine.run('player.events', 'waiting')).toBe(10);
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      expect(await score()).toBe(10);
    });

    it('is bounded, and says so', async () => {
      await asPlayer({ max_waiting: 2, queue_path: 'user://earshot/small.jsonl' });
      expect(await kill()).toBeNull();
      expect(await kill()).toBeNull();
      expect(await kill()).toMatchObject({ code: 'queue_full' });
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      expect(await kill()).toBeNull();
      expect(
        await engine.run('player.events', 'enqueue', 'kill-enemy', { amount: 1, realm: 'x'.repeat(20_000) }),
      ).toMatchObject({
        code: 'game_event_invalid',
      });
    });

    it('keeps events in memory when the disk takes nothing', async () => {
      await begin();
      await asPlayer({ queue_path: '/dev/null/queue.jsonl' });
      expect(await engine.run('player.events', 'is_in_memory')).toBe(false);
      expect(await kill(4)).toBeNull();
      expect(await engine.run('player.events', 'is_in_memory')).toBe(true);
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      expect(await score()).toBe(4);
    });

    if (version === 3 && disk !== null)
      it('keeps on a full disk what it took, and says that later events are in memory', async () => {
        await begin();
        const queue = { queue_path: join(disk.folder, 'queue.jsonl') };
        await asPlayer(queue);
        const long = () =>
          engine.run('player.events', 'enqueue', 'kill-enemy', { amount: 1, realm: 'x'.repeat(1_000) });
        expect(await long()).toBeNull();
        disk.fill();
        let taken = 0;
        for (; (await engine.run('player.events', 'is_in_memory')) === false; taken += 1) {
          expect(taken).toBeLessThan(10);
          expect(await long()).toBeNull();
        }
        proxy.spoil(/events/, ...Array.from({ length: 1_000 }, () => 'cut' as const)); // what is sent is in no memory any more
        await asPlayer(queue); // which takes its own events over, into a file for which there is no room
        expect(await engine.run('player.events', 'waiting')).toBe(taken);
        expect(await engine.run('player.events', 'is_in_memory')).toBe(true);
        await engine.kill();
        proxy.reset();
        disk.free();
        await engine.start();
        await asPlayer(queue);
        expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
        expect(await score()).toBe(taken);
      });

    it('never sends the events of one player with the token of another', async () => {
      await begin();
      proxy.spoil(/batch/, 'hang');
      await kill(8);
      const flushed = engine.call('player.events', 'flush');
      await eventually(() => expect(proxy.seen.some((one) => one.includes('batch'))).toBe(true));
      const first = userId;
      userId = `${first} too`;
      await asPlayer();
      expect(await flushed).toMatchObject({ error: { code: 'cancelled' } });
      await begin();
      expect(await engine.run('player.events', 'waiting')).toBe(0);
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      expect(await score()).toBe(0);
      userId = first;
      await asPlayer();
      expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
      expect(await score()).toBe(8);
    });

    // Copies of a game share files on a computer alone; each tab of a browser has its own.
    if (version === 3)
      it('is none of another copy of the game, and what a copy leaves is sent by the next', async () => {
        await begin();
        const copy = await openEngine(3, null, engine);
        await copy.start();
        const own = { ...options(), user_id: userId, token: await token() };
        expect(await copy.run('player', 'configure', own)).toBeNull();
        for (let index = 0; index < 40; index += 1)
          for (const one of [engine, copy]) await one.run('player.events', 'enqueue', 'kill-enemy', { amount: 1 });
        expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
        expect(await score()).toBe(40);
        await copy.kill();
        await asPlayer();
        expect(await engine.run('player.events', 'waiting')).toBe(40);
        expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
        expect(await score()).toBe(80);
        await copy.dispose();
      });

    // In a browser files are rows of its database, which a crash leaves whole.
    if (version === 3)
      it('reads the whole lines of a file that a crash has filled with zeros', async () => {
        await begin();
        for (const amount of [1, 2, 4]) await kill(amount);
        await engine.kill();
        const [path = ''] = readdirSync(engine.folder, { recursive: true, encoding: 'utf8' })
          .filter((name) => name.endsWith('.jsonl') && name.includes(nameOfQueue()))
          .map((name) => join(engine.folder, name));
        const lines = readFileSync(path, 'utf8').split('\n');
        writeFileSync(
          path,
          `${lines[0]}\n${lines[1]?.slice(0, 20)}${'\0'.repeat(4_096)}\n${lines[2]}\n{"id":"x"${'\0'.repeat(50)}`,
        );
        await engine.start();
        await asPlayer();
        expect(await engine.run('player.events', 'waiting')).toBe(2);
        expect(await engine.call('player.events', 'flush')).toMatchObject({ ok: true });
        expect(await score()).toBe(5);
      });

    it('is one of a server with its key', async () => {
      await begin();
      await engine.run('server', 'configure', {
        ...options(),
        api_key: daemon.apiKey,
        queue_path: 'user://server.jsonl',
      });
      await engine.run('server.events', 'enqueue', 'kill-enemy', { amount: 6 }, { user_id: userId });
      expect(await engine.call('server.events', 'flush')).toMatchObject({ ok: true });
      expect(await score()).toBe(6);
    });
  });

  describe('what goes wrong', () => {
    it('a connection is cut: the call is sent again', async () => {
      proxy.spoil(/user-additional-info/, 'cut', 'lose');
      expect(await engine.call('player', 'get_user_info')).toMatchObject({ ok: true });
      expect(proxy.seen).toHaveLength(3);
    });

    it('the answer of a POST is lost: the repeat has its key, and one effect', async () => {
      await engine.run('server', 'configure', { ...options(), api_key: daemon.apiKey });
      proxy.spoil(/gatherings/, 'lose');
      const name = `once ${version}`;
      expect(await engine.call('server', 'create_gathering', { name })).toMatchObject({ ok: true });
      expect(proxy.keys[0]).toMatch(/^[0-9a-f]{32}$/);
      expect(proxy.keys).toEqual([proxy.keys[0], proxy.keys[0]]);
      const { data } = await engine.call('server', 'list_gatherings');
      const { gatherings } = data as { gatherings: { name: string }[] };
      expect(gatherings.filter((one) => one.name === name)).toHaveLength(1);
    });

    it('the answer of a change without a key is lost: it is not sent again, and the error says that it may be done', async () => {
      await engine.run('server', 'configure', { ...options(), api_key: daemon.apiKey });
      const { data } = await engine.call('server', 'create_gathering', { name: `bare ${version}` });
      proxy.reset();
      const { id } = data as { id: string };
      // A browser sends it again by itself where a connection ended that was in use before.
      const faults = version === 3 ? (['lose', { status: 502 }] as const) : [{ status: 502 }];
      proxy.spoil(/gatherings/, ...faults);
      for (const _ of faults)
        expect(await engine.call('server', 'delete_gathering', id)).toMatchObject({
          error: { mayBeDone: true, message: expect.stringContaining('may have been done') },
        });
      if (version === 3) expect(proxy.seen).toHaveLength(2);
    });

    it('the answer of a challenge action is lost: the repeat is refused, and the call succeeds', async () => {
      await engine.call('player', 'unlock_personal_challenge', challengeId);
      proxy.spoil(/activate/, 'lose');
      const { ok, data } = await engine.call('player', 'activate_personal_challenge', challengeId);
      expect({ ok, data }).toMatchObject({ ok: true, data: { message: 'OK', challenge: { type: 'in-progress' } } });
      const again = await engine.call('player', 'activate_personal_challenge', challengeId);
      if (version === 3) expect(again).toMatchObject({ error: { code: 'action_not_possible' } });
      else expect(again.ok).toBe(true); // browsers repeat requests by themselves, so a repeat says nothing
    });

    it('429 with Retry-After: the call waits as long', async () => {
      proxy.spoil(/user-additional-info/, { status: 429, headers: { 'Retry-After': '2' } });
      const began = performance.now();
      expect(await engine.call('player', 'get_user_info')).toMatchObject({ ok: true });
      expect(performance.now() - began).toBeGreaterThan(1_900);
      proxy.spoil(/user-additional-info/, { status: 429, headers: { 'Retry-After': '3600' } });
      expect(await engine.call('player', 'get_user_info')).toMatchObject({
        error: { status: 429, retryAfterSeconds: 3600, isPassing: true },
      });
    });

    // A page of another origin does not get the header Date.
    if (version === 3)
      it('Retry-After is a date: it counts from the date of the answer, whose clock may be wrong', async () => {
        const headers = { Date: 'Tue, 31 Dec 2030 23:59:59 GMT', 'Retry-After': 'Wed, 01 Jan 2031 00:00:02 GMT' };
        proxy.spoil(/user-additional-info/, { status: 429, headers });
        const began = performance.now();
        expect(await engine.call('player', 'get_user_info')).toMatchObject({ ok: true });
        expect(performance.now() - began).toBeGreaterThan(2_900);
        const weeks = { Date: 'Tue, 31 Dec 2030 23:59:59 GMT', 'Retry-After': 'Fri, 28 Feb 2031 00:00:02 GMT' };
        proxy.spoil(/user-additional-info/, { status: 429, headers: weeks });
        expect(await engine.call('player', 'get_user_info')).toMatchObject({
          error: { retryAfterSeconds: 58 * 86_400 + 3 },
        });
      });

    it('Retry-After is of weeks: the queue tries again after a minute', async () => {
      proxy.spoil(/batch/, { status: 503, headers: { 'Retry-After': '1209600' } });
      await kill();
      const due = async () => Number(await engine.run('player.events', 'get', '_due_ms'));
      const nowMs = (await due()) - options().flush_interval_ms;
      await engine.call('player.events', 'flush');
      expect(await due()).toBeGreaterThan(nowMs + 50_000);
      expect(await due()).toBeLessThan(nowMs + 65_000);
    });

    it('503 again and again: the call fails after its attempts', async () => {
      const gone = { status: 503 };
      await asPlayer({ attempts: 2 });
      proxy.spoil(/user-additional-info/, gone, gone, gone);
      expect(await engine.call('player', 'get_user_info')).toMatchObject({ error: { status: 503, isPassing: true } });
      expect(proxy.seen).toHaveLength(2);
    });

    it('the daemon restarts: calls and events go on', async () => {
      await begin();
      const restarted = daemon.restart();
      await kill(9);
      const read = engine.call('player', 'get_user_info');
      const flushed = engine.call('player.events', 'flush');
      await restarted;
      expect(await read).toMatchObject({ ok: true });
      if (!(await flushed).ok) await engine.emitted('player.events.sent');
      expect(await score()).toBe(9);
    });

    it('the token has expired: the next one is asked for once, and calls go on', async () => {
      clockMs += 2 * day;
      const calls = [1, 2, 3].map(() => engine.call('player', 'get_user_info'));
      await engine.emitted('player.token_needed');
      await engine.run('player', 'set_token', await token());
      for (const call of calls) expect(await call).toMatchObject({ ok: true });
      expect(engine.signals.filter(({ signal }) => signal === 'player.token_needed')).toHaveLength(1);
    });

    it('the next token is refused too: the call fails with the code', async () => {
      const another = await token();
      clockMs += 2 * day;
      const call = engine.call('player', 'get_user_info');
      await engine.emitted('player.token_needed');
      await engine.run('player', 'set_token', another);
      expect(await call).toMatchObject({ error: { code: 'player_token_invalid' } });
    });

    it('no answer: the call times out, or is cancelled', async () => {
      await asPlayer({ timeout_ms: 700, attempts: 1 });
      proxy.spoil(/user-additional-info/, 'hang', 'hang');
      expect(await engine.call('player', 'get_user_info')).toMatchObject({ error: { code: 'timeout' } });
      await asPlayer();
      const { id, result } = engine.begin('player', 'get_user_info');
      await eventually(() => expect(proxy.seen).toHaveLength(2));
      await engine.run(id, 'cancel');
      expect(await result).toMatchObject({ error: { code: 'cancelled' } });
    });

    it('something else answers, or nothing', async () => {
      proxy.spoil(/user-additional-info/, { status: 200 });
      expect(await engine.call('player', 'get_user_info')).toMatchObject({ error: { code: 'not_earshot' } });
      await asPlayer({ base_url: 'http://127.0.0.1:1', attempts: 1 });
      expect(await engine.call('player', 'get_user_info')).toMatchObject({
        error: { code: 'unreachable', mayBeDone: false },
      });
    });
  });

  describe('streams', () => {
    const mute = (reason: string) =>
      daemon.client.call(sanctionRoutes.create, {
        params: { projectId: daemon.projectId },
        body: { type: 'mute', externalUserId: userId, reason, duration: 60 },
      });
    const reasons = (stream: string) =>
      engine.signals
        .filter(({ signal }) => signal === `${stream}.event_received`)
        .map(({ values: [event] }) => (event as { payload: { data: { reason: string } } }).payload.data.reason);

    it('resume after the last event, each event once', async () => {
      await engine.run('server', 'configure', { ...options(), api_key: daemon.apiKey });
      const stream = await engine.stream('server', 'stream_project_events', {
        types: 'sanction.created',
        user: userId,
      });
      await engine.emitted(`${stream}.connected`);
      await mute('one');
      await engine.emitted(`${stream}.event_received`);
      proxy.cut();
      const [error, retryInMs] = await engine.emitted(`${stream}.lost`);
      expect(error).toMatchObject({ code: 'unreachable' });
      expect(retryInMs).toBeGreaterThanOrEqual(375);
      await mute('Zoë’s two');
      await mute('three\nlines\n');
      await engine.emitted(`${stream}.event_received`, 3);
      await daemon.restart();
      await mute('four');
      await engine.emitted(`${stream}.event_received`, 4);
      expect(reasons(stream)).toEqual(['one', 'Zoë’s two', 'three\nlines\n', 'four']);
      await engine.run(stream, 'close');
      expect(await engine.emitted(`${stream}.closed`)).toEqual([null]);
    });

    it('misses nothing when cut before the first event', async () => {
      await engine.run('server', 'configure', { ...options(), api_key: daemon.apiKey });
      const stream = await engine.stream('server', 'stream_project_events', {
        types: 'sanction.created',
        user: userId,
      });
      await engine.emitted(`${stream}.connected`);
      proxy.spoil(/stream/, { status: 503 });
      proxy.cut();
      await engine.emitted(`${stream}.lost`);
      await mute('early');
      await engine.emitted(`${stream}.event_received`);
      expect(reasons(stream)).toEqual(['early']);
      await engine.run(stream, 'close');
    });

    it('open by tickets, a new one each time', async () => {
      await engine.run('server', 'configure', { ...options(), api_key: daemon.apiKey });
      const ticket = async () => {
        const body = { types: 'sanction.created', user: userId, address: 'any' };
        const { data } = await engine.call('server', 'create_project_stream_ticket', body);
        return (data as { url: string }).url;
      };
      const stream = await engine.stream('player', 'stream_by_ticket');
      await engine.emitted(`${stream}.ticket_needed`);
      await engine.run(stream, 'set_ticket_url', await ticket());
      await engine.emitted(`${stream}.connected`);
      proxy.cut();
      await engine.emitted(`${stream}.ticket_needed`, 2);
      await mute('between');
      await engine.run(stream, 'set_ticket_url', await ticket());
      await engine.emitted(`${stream}.event_received`);
      expect(reasons(stream)).toEqual(['between']);
      await engine.run(stream, 'close');
    });

    it('tell a player what happens in their voice room, until they are put out', async () => {
      const params = { projectId: daemon.projectId };
      const body = { roomId: 'red', userId };
      const { token: roomToken } = await daemon.client.call(tokenRoutes.generateForProject, { params, body });
      const stream = await engine.stream('player', 'stream_room_events', 'red', roomToken);
      expect(await engine.emitted(`${stream}.event_received`)).toMatchObject([{ type: 'room.state', roomId: 'red' }]);
      await daemon.client.call(sanctionRoutes.create, { params, body: { type: 'perm_ban', externalUserId: userId } });
      expect(await engine.emitted(`${stream}.closed`)).toEqual([null]);
      expect(engine.signals.some(({ values: [event] }) => (event as { type?: string })?.type === 'room.removed')).toBe(
        true,
      );
    });

    it('end where the daemon refuses for good', async () => {
      await engine.run('server', 'configure', { ...options(), api_key: 'wrong' });
      const stream = await engine.stream('server', 'stream_project_events');
      expect(await engine.emitted(`${stream}.closed`)).toMatchObject([{ status: 401, isPassing: false }]);
    });
  });
});
