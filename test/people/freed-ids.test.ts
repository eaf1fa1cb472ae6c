/** An external user id that a move has freed: audit entries that name it are about whoever had it then. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { auditRoutes } from '../../src/contract/audit/audit.js';
import { sanctionRoutes } from '../../src/contract/moderation/sanctions.js';
import { participantRoutes } from '../../src/contract/people/participants.js';
import { personRoutes } from '../../src/contract/people/person.js';
import { personExportRoutes } from '../../src/contract/people/person-export.js';
import { personMoveRoutes } from '../../src/contract/people/person-moves.js';
import type { TestDaemon } from '../support/daemon.js';
import { describeDaemonsOnEachDatabase } from '../support/each-database.js';

describeDaemonsOnEachDatabase('a freed id', (start) => {
  let daemon: TestDaemon;
  let count = 0;
  let id: string;
  let aheadMs = 0;
  beforeAll(async () => {
    daemon = await start({ now: () => new Date(Date.now() + aheadMs) });
  });
  afterEach(() => {
    aheadMs = 0;
  });
  afterAll(() => daemon.stop());
  beforeEach(() => {
    count += 1;
    id = `x${count}`;
  });

  const params = () => ({ projectId: daemon.projectId });
  const warn = (externalUserId: string, reason: string) =>
    daemon.admin.call(sanctionRoutes.create, { params: params(), body: { type: 'warn', externalUserId, reason } });
  const move = (user: string, externalUserId: string) =>
    daemon.admin.call(personMoveRoutes.move, { params: { ...params(), user }, body: { externalUserId } });
  /** The sanctions and moves that the entries of an export are about. */
  const exported = async (user: string) => {
    const path = personExportRoutes.export.path.replace('{projectId}', daemon.projectId).replace('{user}', user);
    const answer = await fetch(daemon.url + path, { headers: { 'X-API-Key': daemon.apiKey } });
    const lines = (await answer.text()).split('\n').filter((line) => line !== '');
    const entries = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'auditEntry');
    return entries.map(({ record }) => record.action).filter((action) => /^(createSanction|movePerson)$/.test(action));
  };
  /** Actions that the log still names the id with. */
  const logged = async (target: string) => {
    const query = { target, limit: 100 };
    const { entries } = await daemon.admin.call(auditRoutes.list, { params: params(), query });
    return entries
      .filter(({ targets }) => targets.some((one) => one.id === target))
      .map(({ action }) => action)
      .filter((action) => /^(createSanction|movePerson)$/.test(action));
  };

  it('leaves the entries of before to its former holder, in exports', async () => {
    await warn(id, 'first');
    await warn(id, 'again');
    await move(id, `${id}-new`);
    await warn(id, 'somebody else');
    expect(await exported(`${id}-new`)).toEqual(['createSanction', 'createSanction', 'movePerson']);
    expect(await exported(id)).toEqual(['createSanction']);
    await daemon.admin.call(participantRoutes.create, { params: params(), body: { externalUserId: id } });
    expect(await exported(id)).toEqual(['createSanction']);
  });

  it('leaves them to the former holder when the new one is erased, and the other way round', async () => {
    await warn(id, 'first');
    await move(id, `${id}-new`);
    await warn(id, 'somebody else');
    await daemon.admin.call(personRoutes.erase, { params: { ...params(), user: id } });
    expect(await logged(id)).toEqual(['movePerson', 'createSanction']);
    expect(await exported(`${id}-new`)).toEqual(['createSanction', 'movePerson']);
    await warn(id, 'a third one');
    await daemon.admin.call(personRoutes.erase, { params: { ...params(), user: `${id}-new` } });
    expect(await logged(id)).toEqual(['createSanction']);
    expect(await exported(id)).toEqual(['createSanction']);
  });

  it('goes from one to the next, each with their own', async () => {
    await warn(id, 'first');
    await move(id, `${id}-a`);
    for (const reason of ['second', 'second again']) await warn(id, reason);
    await move(id, `${id}-b`);
    await warn(id, 'third');
    expect(await exported(`${id}-a`)).toEqual(['createSanction', 'movePerson']);
    expect(await exported(`${id}-b`)).toEqual(['createSanction', 'createSanction', 'movePerson']);
    expect(await exported(id)).toEqual(['createSanction']);
    await move(`${id}-a`, id); // back, and merged with whoever has it now
    expect(await exported(id)).toEqual([...['createSanction', 'movePerson', 'createSanction', 'movePerson']]);
  });

  it('keeps each their own where the clock was set back before a move, and the other way round', async () => {
    await warn(id, 'first');
    aheadMs = -60_000;
    await move(id, `${id}-a`);
    await warn(id, 'second');
    aheadMs = 60_000;
    await move(id, `${id}-b`);
    aheadMs = 0;
    await warn(id, 'third');
    expect(await exported(`${id}-a`)).toEqual(['createSanction', 'movePerson']);
    expect(await exported(`${id}-b`)).toEqual(['createSanction', 'movePerson']);
    await daemon.admin.call(personRoutes.erase, { params: { ...params(), user: `${id}-a` } });
    expect((await logged(id)).toSorted()).toEqual(['createSanction', 'createSanction', 'movePerson']);
    await daemon.admin.call(personRoutes.erase, { params: { ...params(), user: id } });
    expect(await exported(`${id}-b`)).toEqual(['createSanction', 'movePerson']);
    await daemon.admin.call(personRoutes.erase, { params: { ...params(), user: `${id}-b` } });
    expect(await logged(id)).toEqual([]);
  });

  it('leaves entries of calls that waited for the move to whoever has the id since', async () => {
    const sanctions = async (externalUserId: string) =>
      (await daemon.admin.call(sanctionRoutes.list, { params: params(), query: { externalUserId } })).total;
    const entries = async (user: string) => (await exported(user)).filter((action) => action === 'createSanction');
    for (let round = 0; round < 5; round += 1) {
      const [from, to] = [`${id}-${round}`, `${id}-${round}-new`];
      await warn(from, 'before');
      await Promise.all([
        warn(from, 'at once'),
        move(from, to),
        ...['second', 'third', 'fourth'].map((one) => warn(from, one)),
      ]);
      await warn(from, 'after');
      for (const user of [from, to]) expect(await entries(user)).toHaveLength(await sanctions(user));
    }
  });
});
