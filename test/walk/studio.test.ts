/**
 * A studio joins pairs of accounts and erases people while thousands play, on PostgreSQL. At full scale it joins 1,000 pairs
 * and erases 100 people while 2,000 players play for five minutes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaderboardRoutes } from '../../src/contract/gameplay/leaderboards.js';
import { playerRoutes } from '../../src/contract/gameplay/players.js';
import { gatheringMemberRoutes } from '../../src/contract/gatherings/gathering-members.js';
import { gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import { reportRoutes } from '../../src/contract/reports/reports.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';
import { everyInvariant } from '../support/invariants.js';
import { hasPostgresql, type PostgresqlServer, startPostgresql } from '../support/postgresql.js';
import { scale } from '../support/scale.js';
import { someAtOnce } from '../support/some-at-once.js';
import { contentsOf, tracesIn } from '../support/traces.js';
import { outcomeOf, WalkProject } from '../support/walk-project.js';

const pairs = scale(50, 1_000);
const erasures = scale(5, 100);
const playMs = scale(15_000, 300_000);
/** Players whose requests are under way at the same time. */
const atOnce = scale(8, 32);
const gatheringsCount = scale(6, 60);
const patienceMs = scale(180_000, 3_600_000);
const pageMax = 200;

const numbered = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}.`);
/** Each of the first becomes the one of the same number; the last are erased. Their ids are in nothing else. */
const former = numbered('former', pairs);
const lasting = numbered('lasting', pairs);
const leaving = numbered('leaving', erasures);

describe.skipIf(!hasPostgresql)(`${pairs} pairs of accounts become one while all of them play`, () => {
  let server: PostgresqlServer;
  let daemon: TestDaemon;
  let project: WalkProject;
  beforeAll(async () => {
    server = await startPostgresql();
    daemon = await startDaemon({ settings: { DATABASE_URL: server.url } });
    const open = [
      { aggregate: 'sum', sortOrder: 'desc' },
      { aggregate: 'best', sortOrder: 'desc' },
      { aggregate: 'last', sortOrder: 'asc' },
    ] as const;
    const people = [...former, ...lasting, ...leaving];
    project = await WalkProject.make(daemon, 'Studio', { open, judged: [] }, people);
    for (let made = 0; made < gatheringsCount; made += 1) {
      const body = { name: `Raid ${made}`, maxMembers: 50 };
      const { id, joinCode } = await project.client.call(gatheringRoutes.create, { params: project.params, body });
      project.gatherings.push({ id, joinCode });
    }
  }, 120_000);
  afterAll(async () => {
    await daemon.stop();
    await server.stop();
  });

  it('every invariant holds at the end, and every score', { timeout: patienceMs }, async () => {
    const { client, params, people } = project;
    const ids = new Map<string, string>();
    await someAtOnce(
      people.length,
      async (index) => {
        const externalUserId = people[index] ?? '';
        const body = { externalUserId, displayName: `Player ${externalUserId}` };
        ids.set(externalUserId, (await client.call(participantRoutes.create, { params, body })).id);
      },
      atOnce,
    );
    /** What was acknowledged to each, and what they are doing. */
    const scored = new Map<string, number>();
    const busy = new Map<string, number>();
    const gone = new Set<string>();
    const outcomes = new Map<string, number>();
    let turns = 0;

    const play = async (user: string, turn: number): Promise<string> => {
      const person = { ...params, userId: user };
      const participantId = ids.get(user) ?? '';
      // Seats of both in one gathering would be an obstacle, and so would progress of both in one challenge.
      const isFormer = user.startsWith('former');
      const own = project.gatherings.filter((_, index) => (index % 2 === 0) === isFormer);
      const gathering = own[turn % own.length] ?? { id: '', joinCode: '' };
      const kind = turn % 20;
      if (kind === 0)
        return outcomeOf(
          client.call(gatheringRoutes.join, { params, body: { joinCode: gathering.joinCode, participantId } }),
        );
      if (kind === 1)
        return outcomeOf(
          client.call(gatheringMemberRoutes.remove, {
            params: { ...params, id: gathering.id, memberId: participantId },
          }),
        );
      if (kind === 2) {
        const id = project.challenges[0] ?? '';
        return isFormer ? 'none' : outcomeOf(client.call(playerRoutes.unlock, { params: { ...person, id } }));
      }
      if (kind === 3)
        return outcomeOf(
          client.call(reportRoutes.create, {
            params,
            body: { externalUserId: people[(turn * 7) % people.length] ?? '', reporterUserId: user, category: 'spam' },
          }),
        );
      if (kind === 4)
        return outcomeOf(
          client.call(sanctionRoutes.create, {
            params,
            body: { type: 'warn', externalUserId: user, reason: 'Language' },
          }),
        );
      if (kind === 5) return outcomeOf(client.call(playerRoutes.get, { params: person }));
      const health = 1 + (turn % 9);
      const body = {
        event_name: 'defeat-boss',
        team_id: `team-${turn % 4}`,
        meta_data: { health },
      };
      const outcome = await outcomeOf(client.call(playerRoutes.sendEvent, { params: person, body }));
      if (outcome === 'ok') scored.set(user, (scored.get(user) ?? 0) + health);
      return outcome;
    };

    const begin = Date.now();
    let isStudioDone = false;
    const passedMs = () => Date.now() - begin;
    const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    const playing = async (): Promise<void> => {
      // They play on until the last account is joined and the last person erased.
      while (passedMs() < playMs || !isStudioDone) {
        const turn = turns++;
        // Strides through all of them, so that neighbours in a pair play at other times in each round.
        const user = people[(turn * 7_919) % people.length] ?? '';
        if (gone.has(user)) continue;
        busy.set(user, (busy.get(user) ?? 0) + 1);
        count(await play(user, turn));
        busy.set(user, (busy.get(user) ?? 1) - 1);
      }
    };
    /** Waits until the work with this number of so many is due; work that takes longer follows without a pause. */
    const due = (index: number, of: number) => sleep(Math.max(0, (playMs * 0.8 * index) / of - passedMs()));
    const joined: string[] = [];
    const conflicts: string[] = [];
    const moving = async (): Promise<void> => {
      for (const [index, from] of former.entries()) {
        await due(index, pairs);
        const to = lasting[index] ?? '';
        const move = { params: { ...params, user: from }, body: { externalUserId: to } };
        const outcome = await outcomeOf(client.call(personMoveRoutes.move, move));
        if (outcome === 'ok') joined.push(from);
        else conflicts.push(`${from}: ${outcome}`);
      }
    };
    const erasing = async (): Promise<void> => {
      for (const [index, user] of leaving.entries()) {
        await due(index + 1, erasures);
        gone.add(user);
        while ((busy.get(user) ?? 0) > 0) await sleep(5);
        await client.call(personRoutes.erase, { params: { ...params, user } });
      }
    };
    const studio = Promise.all([moving(), erasing()]).finally(() => {
      isStudioDone = true;
    });
    await Promise.all([...Array.from({ length: atOnce }, playing), studio]);
    const playedMs = passedMs();

    expect(conflicts).toEqual([]);
    expect(joined).toHaveLength(pairs);
    // Others may have reported somebody after their erasure, which makes them known again.
    await someAtOnce(
      leaving.length,
      (index) => client.call(personRoutes.erase, { params: { ...params, user: leaving[index] ?? '' } }),
      2,
    );
    expect(tracesIn(await contentsOf(server.url), leaving)).toEqual({});

    const scores = new Map<string, number>();
    const board = project.board(project.openBoards[0] ?? '');
    for (let offset = 0; ; offset += pageMax) {
      const query = { limit: pageMax, offset };
      const { entries } = await client.call(leaderboardRoutes.ranking, { params: board, query });
      for (const { memberId, score } of entries) scores.set(memberId, score);
      if (entries.length < pageMax) break;
    }
    const sumOf = (of: ReadonlyMap<string, number>, index: number) =>
      (of.get(former[index] ?? '') ?? 0) + (of.get(lasting[index] ?? '') ?? 0);
    const wrong = lasting.filter((_, index) => sumOf(scores, index) !== sumOf(scored, index));
    expect(wrong, 'pairs that have not what was acknowledged to both').toEqual([]);
    await everyInvariant(project);
    const beside = new pg.Client({ connectionString: server.url });
    await beside.connect();
    const { rows } = await beside.query(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    await beside.end();
    process.stdout.write(
      `${pairs} pairs joined, ${erasures} people erased, ${turns} turns of ${people.length} players in ${Math.round(playedMs / 1_000)} s: ` +
        `${[...outcomes].map(([outcome, times]) => `${outcome} ${times}`).join(', ')}; deadlocks ${rows[0]?.deadlocks}\n`,
    );
  });
});
