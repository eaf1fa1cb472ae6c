/**
 * Shared parts of the commands about gatherings: finding one by id or join code, people by name, many from standard
 * input.
 */
import * as Args from '@oclif/core/args';
import type { Invitation } from '../../contract/gatherings/gathering-invitations.js';
import type { Gathering } from '../../contract/gatherings/gatherings.js';
import { ProjectCommand } from '../command/command.js';
import { forEach, rowsOfFile, typedNames } from '../files/each-line.js';
import { peopleShape, personIn } from '../files/people-list.js';
import { nameArgument } from '../names/kinds.js';
import { inHalves, largeType } from '../terminal/large-type.js';
import { invitedNames } from './invited-names.js';

export const gatheringArgument = nameArgument('gathering');
export const personArgument = nameArgument('participant');
export const peopleArgument = Args.string({
  required: true,
  description:
    'External ids, participant ids or display names; - reads many from standard input: one per line, CSV or JSON',
});

export const gatheringColumns = ['name', 'type', 'status', 'memberCount', 'maxMembers', 'joinCode', 'startsAt', 'id'];
export const memberColumns = ['displayName', 'role', 'status', 'ready', 'joinedAt', 'id'];

export abstract class GatheringCommand extends ProjectCommand {
  /** Invitations with the names of whom and to what. */
  protected async listInvitations(projectId: string, invitations: readonly Invitation[]): Promise<void> {
    if (this.common.json === true) return this.list(invitations, invitations, []);
    const lookup = { client: this.client, projectId };
    const [peopleOf, gatheringOf] = await invitedNames(lookup, invitations);
    const rows = invitations.map((one) => ({
      ...one,
      person: peopleOf(one.participantId),
      gathering: gatheringOf(one.gatheringId),
    }));
    this.list(invitations, rows, ['person', 'gathering', 'status', 'createdAt', 'expiresAt', 'id']);
  }

  /** Returns the participant id for a name read from standard input. */
  protected personId = (named: string): Promise<string> => this.idOf('participant', named);

  /** The join code in large letters on a terminal, then the fields. */
  protected showGathering(gathering: Gathering): void {
    if (this.screen.isTerminal && this.common.json !== true) this.log(`\n${largeType(inHalves(gathering.joinCode))}\n`);
    this.show(gathering, [...gatheringColumns, 'roomId', 'ownerId', 'sessionId', 'expiresAt']);
  }

  /**
   * Does the work for one, for each of several, or with `-` for each line of standard input. Of many, a refused one does not stop
   * the others.
   */
  protected async forEach<T>(people: readonly string[], work: (one: string) => Promise<T>): Promise<T[]> {
    const [first, ...more] = people;
    if (first === '-')
      return forEach(await rowsOfFile('-', peopleShape(false)), (row) => work(personIn(row)), this.common);
    return first !== undefined && more.length === 0
      ? [await work(first)]
      : forEach(typedNames(people), work, this.common);
  }

  /** A list of many, or what became of the one who was named. */
  protected listPeople(
    people: readonly string[],
    answers: readonly object[],
    columns: readonly string[],
    rows: readonly object[] = answers,
  ): void {
    const isOne = people.length === 1 && people[0] !== '-';
    this.list(isOne ? answers[0] : answers, rows, columns);
  }
}
