/** Erasures that a legal hold stopped run once it is lifted, whatever becomes of others. */
import { expect, it } from 'vitest';
import { ParticipantErasure } from '../../daemon/modules/people/erasure.js';

it('carries out the others where one fails, and states the failure', async () => {
  const erased: string[] = [];
  const pages = [['ann', 'ben'], ['cleo']];
  const due = async () => ({
    people: (pages.shift() ?? []).map((externalUserId) => ({ projectId: 'p', tenantId: 't', externalUserId })),
    next: pages.length === 0 ? null : 'next',
  });
  const erasure = new ParticipantErasure({ holds: { due } } as unknown as ConstructorParameters<
    typeof ParticipantErasure
  >[0]);
  erasure.erasePerson = async (_, user) => {
    if (user === 'ann') throw new Error('ann was moved');
    erased.push(user);
  };
  await expect(erasure.runRemembered()).rejects.toThrow('ann was moved');
  expect(erased).toEqual(['ben', 'cleo']);
});
