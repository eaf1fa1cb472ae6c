/** Moves people: by the id that the game has for them, so that what is there already is found again. */
import type { z } from 'zod';
import { participantRoutes } from '../../contract/people/participants.js';
import type { ImportRun } from './move.js';

export interface SourcePerson {
  /** Id in the source, where it has one of its own. */
  readonly id: string;
  readonly externalUserId: string;
  readonly displayName?: string | null | undefined;
  readonly userData?: Record<string, z.core.util.JSONType> | null | undefined;
}

export async function movePeople(move: ImportRun, people: readonly SourcePerson[]): Promise<void> {
  const known = await move.all(
    (query) => move.client.call(participantRoutes.list, { params: move.params, query }),
    ({ participants }) => participants,
  );
  const here = new Map(known.map((one) => [one.externalUserId, one]));
  const once = new Map([...people].reverse().map((one) => [one.externalUserId, one]));
  await move.carry(
    'participants',
    [...once.values()].map(({ id, externalUserId, displayName, userData }) => {
      const there = here.get(externalUserId);
      const name = displayName ?? externalUserId;
      return {
        from: id,
        label: externalUserId,
        there: there?.id ?? null,
        differs:
          there === undefined || there.displayName === name
            ? []
            : [`is called ${there.displayName} here and ${name} there`],
        create: async () => {
          const body = { externalUserId, displayName: name, ...(userData ? { userData } : {}) };
          return (await move.client.call(participantRoutes.create, { params: move.params, body })).id;
        },
      };
    }),
  );
}
