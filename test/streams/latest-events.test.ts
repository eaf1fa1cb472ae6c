/** The log from its end backwards: page by page all of it, each event once, by the filters of a stream. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DomainEvent } from '../../src/contract/events.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { projectRoutes } from '../../src/contract/projects/projects.js';
import { settingsRoutes } from '../../src/contract/projects/settings.js';
import { eventRoutes } from '../../src/contract/streams/event-streams.js';
import { commandLine } from '../support/cli.js';
import { startDaemon, type TestDaemon } from '../support/daemon.js';

/** More than the shortest and the first part of the log that is read. */
const many = 620;
let daemon: TestDaemon;
let other: string;
const cli = commandLine(() => ({ EARSHOT_URL: daemon.url, EARSHOT_API_KEY: daemon.apiKey }));
const list = (query: object, projectId = daemon.projectId, client = daemon.client) =>
  client.call(eventRoutes.list, { params: { projectId }, query });
const people = async (projectId: string, prefix: string, count: number) => {
  for (let done = 0; done < count; done += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, count - done) }, (_, index) =>
        daemon.admin.call(participantRoutes.create, {
          params: { projectId },
          body: { externalUserId: `${prefix}${done + index}` },
        }),
      ),
    );
};

/** Every event of the filter, page by page. */
async function all(query: object, projectId?: string, client?: TestDaemon['client']): Promise<DomainEvent[]> {
  const events: DomainEvent[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page = await list({ limit: 100, ...query, ...(after === '' ? {} : { after }) }, projectId, client);
    events.push(...page.events);
    after = page.next;
  }
  return events;
}

beforeAll(async () => {
  daemon = await startDaemon();
  const params = { projectId: daemon.projectId };
  for (const type of ['mute', 'warn'] as const)
    await daemon.client.call(sanctionRoutes.create, { params, body: { type, externalUserId: 'early' } });
  await daemon.admin.call(settingsRoutes.put, { params, body: { tokenProvider: 'embedded' } });
  other = (await daemon.admin.call(projectRoutes.create, { body: { name: 'busy' } })).id;
  await people(other, 'o_', many);
  await people(daemon.projectId, 'p_', 130);
}, 120_000);
afterAll(async () => {
  cli.dispose();
  await daemon.stop();
});

describe('GET /api/projects/{projectId}/events', () => {
  it('has the newest first, and continues to the oldest without gap or repetition', async () => {
    const created = await all({ types: 'participant.created' });
    const ids = created.map(({ id }) => id);
    expect([ids.length, new Set(ids).size]).toEqual([130, 130]);
    // Twenty were made at once.
    const batches = created.map(({ payload }) =>
      Math.floor(Number(/\d+/.exec(JSON.stringify(payload.data))?.[0]) / 20),
    );
    expect(batches).toEqual(batches.toSorted((one, another) => another - one));
    expect((await all({ types: 'participant.created' }, other, daemon.admin)).length).toBe(many);
    const { events } = await list({ limit: 1 });
    expect(events).toMatchObject([{ id: ids[0] }]);
  });

  it('finds what is old and rare, by type, person and resource', async () => {
    const sanctions = await list({ types: 'sanction.created', limit: 10 });
    expect(sanctions.events.map(({ payload }) => payload.data)).toMatchObject([{ type: 'warn' }, { type: 'mute' }]);
    expect(sanctions.next).toBeNull();
    const about = await all({ user: 'early', types: 'sanction.*' });
    expect(about.map(({ id }) => id)).toEqual(sanctions.events.map(({ id }) => id));
    const [warn] = sanctions.events;
    expect((await all({ resources: warn?.resourceId, types: 'sanction.*' })).map(({ type }) => type)).toEqual([
      'sanction.created',
    ]);
    expect(await all({ user: 'nobody' })).toEqual([]);
  });

  it('refuses a type that no event has, and shows no audit entries to a key without their scope', async () => {
    await expect(list({ types: 'sanction.make' })).rejects.toMatchObject({ status: 400 });
    expect(await all({ types: 'audit.*' })).toEqual([]);
  });
});

describe('earshot events list', () => {
  it('prints them, and the cursor of the next ones', async () => {
    const own = ['--project', daemon.projectId, '--types', 'sanction.*', '--limit', '1'];
    const first = await cli.run(['events', 'list', ...own]);
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('warn')]);
    const [, after = ''] = /--after (\d+)/.exec(first.stderr) ?? [];
    const { stdout } = await cli.run(['events', 'list', ...own, '--after', after, '--json']);
    expect(JSON.parse(stdout).events).toMatchObject([{ payload: { data: { type: 'mute' } } }]);
  });
});
