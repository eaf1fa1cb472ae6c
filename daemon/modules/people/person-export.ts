/** Streams everything that the modules hold about a person, one kind of records after the other. */
import { DomainError } from '../../../src/contract/errors.js';
import {
  type PersonExportQuery,
  type PersonRecordKind,
  personRecordKinds,
  personRecordScopes,
} from '../../../src/contract/people/person-export.js';
import type { Database } from '../../platform/database/database.js';
import { hasScope } from '../../platform/http/authorisation.js';
import type { Member, ProjectGrant } from '../../platform/http/caller.js';
import { type ExportAnswer, LineExports } from '../../platform/http/line-exports.js';
import type { ExportedPerson, PersonRecords } from '../../platform/person-records.js';
import type { ParticipantDirectory } from './directory.js';
import type { FormerNames } from './former-names.js';
import { isNamed } from './holdings.js';

const orderOf = (kind: string): number => personRecordKinds.findIndex((one) => one === kind);

/** Records that are read at once. */
const recordsAtOnce = 200;

interface PersonExportNeeds {
  readonly database: Pick<Database, 'read'>;
  readonly participants: Pick<ParticipantDirectory, 'byEither' | 'formerly'>;
  readonly formerNames: Pick<FormerNames, 'heldIds'>;
  /** Every kind that a module has. */
  readonly records: readonly PersonRecords[];
  /** True if the project holds anything of the person. */
  isHeld(projectId: string, externalUserId: string): Promise<boolean>;
}

export class PersonExport {
  private readonly exports = new LineExports();

  constructor(private readonly needs: PersonExportNeeds) {}

  /** @param user external user id or participant id, or one of before a move. Throws participant_not_found, rate_limited. */
  async stream(
    project: ProjectGrant,
    caller: Member,
    user: string,
    { after, limit, confidential = false }: PersonExportQuery,
    answer: Pick<ExportAnswer, 'response' | 'isHead'>,
  ): Promise<void> {
    const person = { ...(await this.personOf(project.projectId, user)), confidential };
    const sources = [leftOutFor(caller), ...this.sourcesFor(caller)];
    const [kind = '', ...place] = (after ?? '').split('.');
    const asked = sources.findIndex((source) => orderOf(source.kind) >= orderOf(kind));
    let index = asked === -1 ? sources.length : asked;
    let behind = sources[index]?.kind === kind ? place.join('.') : '';
    await this.exports.stream({ tenantId: project.tenantId, limit, ...answer }, async (left) => {
      const source = sources[index];
      if (source === undefined) return { rows: [], next: null };
      const { records, next } = await source.page(person, behind, Math.min(left, recordsAtOnce));
      if (next === null) index += 1;
      behind = next ?? '';
      const from = sources[index];
      const rows = records.map(({ place: at, record }) => ({
        kind: source.kind,
        place: `${source.kind}.${at}`,
        record,
      }));
      return { rows, next: from === undefined ? null : `${from.kind}.${behind}` };
    });
  }

  /** In the order of the contract. */
  private sourcesFor(caller: Member): PersonRecords[] {
    const open = personRecordKinds.filter((kind) => isOpen(caller, kind));
    return open.flatMap((kind) => this.needs.records.filter((source) => source.kind === kind));
  }

  private async personOf(projectId: string, user: string): Promise<Omit<ExportedPerson, 'confidential'>> {
    const { participants } = this.needs;
    const known = await participants.byEither(projectId, user);
    if (known !== null) return this.named(known);
    if (await this.needs.isHeld(projectId, user)) return this.named({ id: null, projectId, externalUserId: user });
    const moved = await participants.formerly(projectId, user);
    if (moved !== null) return this.named(moved);
    const stranger = await this.named({ id: null, projectId, externalUserId: user });
    if (!(await isNamed(this.needs.records, stranger))) throw new DomainError('participant_not_found');
    return stranger;
  }

  private async named(person: Parameters<FormerNames['heldIds']>[1]): Promise<Omit<ExportedPerson, 'confidential'>> {
    const { id: participantId, projectId, externalUserId } = person;
    const heldIds = await this.needs.formerNames.heldIds(this.needs.database.read, person);
    return { projectId, participantId, externalUserId, heldIds };
  }
}

/** Choice: a key is told which kinds it does not get, because an export that leaves something out looks complete. */
function leftOutFor(caller: Member): PersonRecords {
  const closed = personRecordKinds.filter((kind) => !isOpen(caller, kind));
  const scopes = [...new Set(closed.map((kind) => personRecordScopes[kind]))];
  const records = closed.length === 0 ? [] : [{ place: '1', record: { kinds: closed, scopes } }];
  return { kind: 'leftOut', page: async (_, after) => ({ records: after === '' ? records : [], next: null }) };
}

const isOpen = (caller: Member, kind: PersonRecordKind): boolean => hasScope(caller, personRecordScopes[kind]);
