/**
 * The participants of a project: one row per project and external user id, under any concurrency. Used by other
 * modules.
 */

import { withSmallUuid } from '../../../src/contract/common.js';
import type { Participant } from '../../../src/contract/people/participants.js';
import { foldAccents } from '../../../src/text/fold.js';
import { addTo } from '../../platform/collections/add-to.js';
import type { Transaction } from '../../platform/database/database.js';
import { changesBetween, type EventLog } from '../../platform/events/log.js';
import { uuidv7 } from '../../platform/ids/new-id.js';
import type { Clock } from '../../platform/time/clock.js';
import { participantEvent } from './events.js';
import type { FormerIdStore } from './former-id-store.js';
import { type ParticipantStore, searchKeyOf, toParticipant } from './store.js';

interface NewPerson {
  readonly tenantId: string;
  readonly projectId: string;
  readonly externalUserId: string;
  readonly displayName?: string | undefined;
  readonly userData?: Participant['userData'] | undefined;
  readonly language?: string | undefined;
  readonly minor?: boolean | undefined;
}

/** People of one name. */
const meantMax = 50;
const namesakesMax = 5;
const matchingMax = 1_000;

export class ParticipantDirectory {
  constructor(
    private readonly participants: ParticipantStore,
    private readonly formerIds: FormerIdStore,
    private readonly log: EventLog,
    private readonly now: Clock,
  ) {}

  /** The participant, created and announced where there is none. */
  async ensure(
    tx: Transaction,
    { tenantId, projectId, externalUserId, displayName = externalUserId, userData = {}, language, minor }: NewPerson,
  ): Promise<Participant> {
    const existing = await this.known(tx, projectId, externalUserId);
    if (existing !== null) return existing;
    const now = this.now();
    const participant = toParticipant(
      await this.participants.insert(tx, {
        id: uuidv7(),
        tenantId,
        projectId,
        externalUserId,
        displayName,
        searchKey: searchKeyOf(displayName, externalUserId),
        userData,
        language: language ?? null,
        isMinor: minor ?? null,
        joinedAt: now,
        updatedAt: now,
      }),
    );
    await this.log.append(tx, participantEvent('created', participant));
    return participant;
  }

  /** Notes what is known of a person, who becomes a participant where they are none: under age, language. */
  async note(tx: Transaction, person: NewPerson): Promise<void> {
    const before = await this.ensure(tx, person);
    const { minor = before.minor, language = before.language } = person;
    if (before.minor === minor && before.language === language) return;
    const fields = { isMinor: minor, language, updatedAt: this.now() };
    const after = toParticipant(await this.participants.update(tx, before.id, fields));
    await this.log.append(tx, participantEvent('updated', after, changesBetween(before, after)));
  }

  /** Nobody erases or moves them until the transaction ends. null: unknown, or erased. */
  async known(tx: Transaction, projectId: string, externalUserId: string): Promise<Participant | null> {
    await this.participants.lockAll(tx, projectId, 'externalUserId', [externalUserId]);
    const row = await this.participants.byExternalId(projectId, externalUserId, tx);
    return row === null ? null : toParticipant(row);
  }

  /** Nobody erases or moves these people until the transaction ends, participants or not. */
  async lock(tx: Transaction, projectId: string, externalUserIds: readonly string[]): Promise<void> {
    await this.participants.lockIds(tx, projectId, externalUserIds);
    await this.participants.lockAll(tx, projectId, 'externalUserId', externalUserIds);
  }

  /** By external user id, else by participant id. */
  async byEither(projectId: string, user: string): Promise<Participant | null> {
    const row =
      (await this.participants.byExternalId(projectId, user)) ??
      (await this.participants.find(projectId, withSmallUuid(user)));
    return row === null ? null : toParticipant(row);
  }

  /** The person who had the external user id or participant id before a move; the last one where several had. */
  async formerly(projectId: string, user: string, tx?: Transaction): Promise<Participant | null> {
    const [last] = await this.formerIds.had(projectId, user);
    return last === undefined ? null : ((await this.byIds(projectId, [last.participantId], tx))[0] ?? null);
  }

  /** External user ids that they had before moves, oldest first. */
  async formerIdsOf({ id, externalUserId }: Participant): Promise<string[]> {
    return (await this.formerIds.idsOf(id)).map((row) => row.externalUserId).filter((one) => one !== externalUserId);
  }

  /** All ids of a person, from before moves too, by one of them; that one alone where nobody has it. */
  async idsOf(projectId: string, user: string): Promise<string[]> {
    const known = (await this.byEither(projectId, user)) ?? (await this.formerly(projectId, user));
    if (known === null) return [user];
    const former = await this.formerIds.idsOf(known.id);
    const before = former.flatMap(({ formerId, externalUserId }) => [formerId, externalUserId]);
    return [...new Set([user, known.externalUserId, known.id, ...before])];
  }

  /** True if a person with this external user id has been moved to another one since. */
  hasMoved = (projectId: string, externalUserId: string, since: Date): Promise<boolean> =>
    this.formerIds.hasMoved(projectId, externalUserId, since);

  /**
   * Returns the participants of the project among the ids, in any order. Nobody erases or moves them until the
   * transaction ends.
   */
  async byIds(projectId: string, ids: readonly string[], tx?: Transaction): Promise<Participant[]> {
    if (tx !== undefined) await this.participants.lockAll(tx, projectId, 'id', ids);
    return (await this.participants.byIds(projectId, ids, tx)).map(toParticipant);
  }

  /**
   * The people that a name or an id may mean: by display name, external user id or participant id, those from before a
   * move included.
   */
  async meant(projectId: string, text: string): Promise<Participant[]> {
    const rows = [
      await this.participants.byExternalId(projectId, text),
      await this.participants.find(projectId, text),
      ...(await this.participants.named(projectId, text, meantMax)),
    ];
    const found = rows.flatMap((row) => (row === null ? [] : [toParticipant(row)]));
    const before = await this.participants.byIds(
      projectId,
      (await this.formerIds.had(projectId, text)).map(({ participantId }) => participantId),
    );
    const all = [...found, ...before.map(toParticipant)];
    for (const one of [...all])
      for (const { formerId, externalUserId } of await this.formerIds.idsOf(one.id))
        all.push({ ...one, id: formerId, externalUserId });
    return all;
  }

  /** Returns external ids of people with this text in their name or id: a bounded number of them. */
  async matching(projectId: string, search: string): Promise<string[]> {
    const { rows } = await this.participants.search(projectId, { search }, { limit: matchingMax, offset: 0 });
    return rows.map(({ externalUserId }) => externalUserId);
  }

  /** External ids of people whose display name is one of these, but for case and accents, by the name as it is given. */
  async namesakesOf(projectId: string, names: readonly string[]): Promise<Map<string, string[]>> {
    const byName = new Map<string, string[]>();
    for (const { displayName, externalUserId } of await this.participants.called(projectId, names))
      addTo(byName, foldAccents(displayName), externalUserId);
    return new Map(
      names.flatMap((name) => {
        const found = byName.get(foldAccents(name));
        return found === undefined ? [] : [[name, found.slice(0, namesakesMax)] as const];
      }),
    );
  }

  /** True if anybody in a project of the tenant has this display name. */
  isName = (tenantId: string, text: string): Promise<boolean> => this.participants.isNamed(tenantId, text);

  async byExternalIds(projectId: string, externalUserIds: readonly string[]): Promise<Participant[]> {
    return (await this.participants.byExternalIds(projectId, externalUserIds)).map(toParticipant);
  }
}
