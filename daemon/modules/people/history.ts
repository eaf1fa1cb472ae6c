/** One timeline of a person, collected from the modules that know a part of it; each part needs its own scope. */
import { DomainError } from '../../../src/contract/errors.js';
import type { HistoryEntry, HistoryQuery } from '../../../src/contract/people/participant-records.js';
import type { RequiredScope } from '../../../src/contract/scopes.js';
import { hasScope } from '../../platform/http/authorisation.js';
import type { Member } from '../../platform/http/caller.js';
import type { ParticipantStore } from './store.js';

interface HistorySubject {
  readonly projectId: string;
  readonly id: string;
  readonly externalUserId: string;
  readonly joinedAt: Date;
}

/** The caller who reads the history. */
interface HistoryReader {
  /** May see the names of accounts and keys. */
  readonly accounts: boolean;
}

export interface HistorySource {
  readonly scope: RequiredScope;
  /** The newest entries up to `limit`, in any order. */
  read(subject: HistorySubject, limit: number, reader: HistoryReader): Promise<HistoryEntry[]>;
}

/** Entries that only moderators may read, whatever the scopes. */
const moderatorsOnly: readonly HistoryEntry['kind'][] = ['note', 'report'];

export class ParticipantHistory {
  constructor(
    private readonly participants: ParticipantStore,
    private readonly sources: readonly HistorySource[],
  ) {}

  /** Oldest first, the newest up to `limit`. Throws participant_not_found. */
  async entriesOf(
    projectId: string,
    id: string,
    { limit, kind: only, since }: HistoryQuery,
    { caller, isModerator }: { caller: Member; isModerator: boolean },
  ): Promise<HistoryEntry[]> {
    const subject = await this.participants.find(projectId, id);
    if (subject === null) throw new DomainError('participant_not_found');
    const readable = this.sources.filter(({ scope }) => hasScope(caller, scope));
    const reader = { accounts: hasScope(caller, 'users:read') };
    const parts = await Promise.all(readable.map((source) => source.read(subject, limit, reader)));
    const known: HistoryEntry = {
      at: subject.joinedAt.toISOString(),
      kind: 'person',
      what: 'became a participant',
      resourceId: `participant:${id}`,
      partOf: null,
    };
    return [known, ...parts.flat()]
      .filter(({ kind }) => isModerator || !moderatorsOnly.includes(kind))
      .filter(({ kind }) => only === undefined || kind === only)
      .filter(({ at }) => since === undefined || Date.parse(at) >= Date.parse(since))
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
      .slice(-limit);
  }
}
