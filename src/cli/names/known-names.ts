/** Finds names for ids, the reverse of `resolve.ts`, for live views. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { pageLimitMax } from '../../contract/common.js';
import type { DomainEvent } from '../../contract/events.js';
import { participantRoutes } from '../../contract/people/participants.js';
import { personRoutes } from '../../contract/people/person.js';
import { fieldOf } from '../../terminal/output.js';
import { isClosed } from '../command/refusals.js';
import { moderatorNames } from './moderators.js';

export interface Names {
  /** Returns the name of a person, or the external user id while the name is unknown. */
  person(externalUserId: string): string;
  participant(id: string): string;
  moderator(id: string): string;
}

/** Names of a command that looks nobody up. */
export const idsAlone: Names = { person: (id) => id, participant: (id) => id, moderator: (id) => id };

const namesMax = 5_000;
/** A busy stream must not wait for the names of everybody in it: the rest is asked for the next time. */
const askedASecondMax = 20;
const moderatorsEveryMs = 60_000;

/** The fields of events whose ids are shown as names: external user ids, and ids of participants or moderators. */
const userFields = [
  'externalUserId',
  'new_challenge.user_id',
  'new_battle_pass_challenge.user_id',
  'battle_pass_level_reward_claimed.user_id',
];
const moderatorFields = ['revokedByUserId', 'claimedByUserId', 'decidedByUserId'];

/** Asks for each name once. A caller who may not read people or colleagues sees ids. */
export class KnownNames implements Names {
  private readonly users = new Map<string, string>();
  private readonly participants = new Map<string, string>();
  private moderators: ((id: string | null) => string | null) | null = null;
  private readonly closed = new Set<'people' | 'moderators'>();
  private moderatorsAskedAtMs = Number.NEGATIVE_INFINITY;
  private second = 0;
  private askedInSecond = 0;

  constructor(
    private readonly client: EarshotClient,
    private readonly projectId: string,
  ) {}

  person = (externalUserId: string): string => this.users.get(externalUserId) ?? externalUserId;
  participant = (id: string): string => this.participants.get(id) ?? id;
  moderator = (id: string): string => this.moderators?.(id) ?? id;

  /** Learns whom an event names, from the event itself, else by asking. */
  async learn({ type, payload: { data } }: DomainEvent): Promise<void> {
    if (typeof data !== 'object' || data === null) return;
    const texts = (fields: readonly string[]): string[] =>
      fields.map((field) => fieldOf(data, field)).filter((id) => typeof id === 'string');
    this.takeFrom(data);
    for (const user of texts(userFields)) if (!this.users.has(user)) await this.askUser(user);
    if (type.startsWith('gathering.invitation.'))
      for (const id of texts(['participantId'])) if (!this.participants.has(id)) await this.askParticipant(id);
    const imposedBy = type.startsWith('sanction.')
      ? ['createdByUserId', 'evidence.ruleId', ...moderatorFields]
      : moderatorFields;
    if (texts(imposedBy).some((id) => this.moderator(id) === id)) await this.askModerators();
  }

  /** A participant, somebody who came or went, a message, or a sanction with whom it is against. */
  private takeFrom(data: object): void {
    const one: unknown = fieldOf(data, 'participant') ?? data;
    if (typeof one !== 'object' || one === null) return;
    const user = fieldOf(one, 'externalUserId');
    const name = fieldOf(one, 'displayName') ?? fieldOf(one, 'senderName');
    if (typeof user === 'string' && typeof name === 'string' && name !== '') this.keep(user, name);
  }

  keep(externalUserId: string, displayName: string): void {
    remember(this.users, externalUserId, displayName);
  }

  private async askUser(externalUserId: string): Promise<void> {
    const query = { search: externalUserId, limit: pageLimitMax };
    const found = await this.asked('people', () =>
      this.client.call(participantRoutes.list, { params: { projectId: this.projectId }, query }),
    );
    if (found === null) return;
    const one = found.participants.find((participant) => participant.externalUserId === externalUserId);
    const isAll = found.participants.length < pageLimitMax;
    const displayName = one !== undefined || isAll ? one?.displayName : await this.displayNameOf(externalUserId);
    this.keep(externalUserId, displayName ?? externalUserId);
  }

  /** Looks a name up alone where the id is a part of very many others. */
  private async displayNameOf(externalUserId: string): Promise<string | undefined> {
    const params = { projectId: this.projectId, user: externalUserId };
    return (await this.asked('people', () => this.client.call(personRoutes.get, { params })))?.participant?.displayName;
  }

  private async askParticipant(id: string): Promise<void> {
    const one = await this.asked('people', () =>
      this.client.call(participantRoutes.get, { params: { projectId: this.projectId, id } }),
    );
    if (one !== null) remember(this.participants, id, one.displayName);
  }

  /** A colleague may be new, and a key that was removed never gets a name. */
  private async askModerators(): Promise<void> {
    if (performance.now() - this.moderatorsAskedAtMs < moderatorsEveryMs) return;
    this.moderatorsAskedAtMs = performance.now();
    this.moderators =
      (await this.asked('moderators', () => moderatorNames(this.client, this.projectId))) ?? this.moderators;
  }

  /** null where the caller may not read it or the daemon does not answer: a missing name must not fail the command. */
  private async asked<T>(what: 'people' | 'moderators', ask: () => Promise<T>): Promise<T | null> {
    const second = Math.floor(performance.now() / 1_000);
    if (this.second !== second) [this.second, this.askedInSecond] = [second, 0];
    if (this.closed.has(what) || this.askedInSecond >= askedASecondMax) return null;
    this.askedInSecond += 1;
    try {
      return await ask();
    } catch (error) {
      if (isClosed(error)) this.closed.add(what);
      return null;
    }
  }
}

function remember(names: Map<string, string>, id: string, name: string): void {
  names.delete(id);
  names.set(id, name);
  const [oldest] = names.keys();
  if (names.size > namesMax && oldest !== undefined) names.delete(oldest);
}
