import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { isOutOfSight, noneWhere } from '../../src/cli/command/refusals.js';
import { flagsFor, requestFrom } from '../../src/cli/typed/fields.js';
import { repeated } from '../../src/cli/typed/repeated.js';
import { parseDuration } from '../../src/cli/typed/times.js';
import { CreateReportRequest, reportRoutes } from '../../src/contract/reports/reports.js';
import { roomRoutes } from '../../src/contract/rooms/rooms.js';
import { UnknownName } from '../../src/terminal/usage-error.js';
import { harmless } from '../../src/text/printable.js';

export default class ReportsCreate extends ProjectCommand {
  static override summary = reportRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> --user u_42 --category threats --words "said he knows where I live"',
    '<%= config.bin %> <%= command.id %> --reporter-user-id u_7 --user u_42 --category hate --room raid-7 --last 60s',
  ];
  static override flags = {
    ...flagsFor(CreateReportRequest, ['evidence']),
    message: Flags.string({ ...repeated, description: 'Message of the transcript' }),
    last: Flags.string({ description: 'Attach what was said in the room in this time, such as 60s' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.input(ReportsCreate);
    const evidence = {
      ...(flags.message === undefined ? {} : { messageIds: flags.message }),
      ...(flags.last === undefined ? {} : { lastSeconds: parseDuration(flags.last) }),
    };
    const further = Object.keys(evidence).length === 0 ? {} : { evidence };
    const body = requestFrom(CreateReportRequest, flags, further);
    const unknown = this.common.json === true ? [] : await this.unknownIn(body);
    const answer = await this.client.call(reportRoutes.create, {
      params: { projectId: await this.projectId() },
      body,
    });
    this.show(answer, ['externalUserId', 'roomId', 'category', 'status', 'repeats', 'id']);
    for (const words of unknown)
      this.logToStderr(harmless(`${words} yet. If that is misspelt, decide the case without a sanction.`));
    if (answer.roomId !== null && this.common.json !== true) await this.tellOfSilence(answer.projectId, answer.roomId);
  }

  /** Says which of those that the report names nobody knows: players may be reported before they have joined a room. */
  private async unknownIn({
    externalUserId: user,
    roomId,
  }: Pick<CreateReportRequest, 'externalUserId' | 'roomId'>): Promise<string[]> {
    const isUnknown = (kind: 'person' | 'room', id: string) =>
      this.idOf(kind, id, false).then(
        () => false,
        (error: unknown) => error instanceof UnknownName, // for every other reason nobody can say
      );
    return [
      ...(user !== undefined && (await isUnknown('person', user)) ? [`Nobody is known as ${user}`] : []),
      ...(roomId !== undefined && (await isUnknown('room', roomId)) ? [`No room is known as ${roomId}`] : []),
    ];
  }

  /** Says that nothing could be attached, because no bot listens in the room. */
  private async tellOfSilence(projectId: string, roomId: string): Promise<void> {
    const params = { projectId, roomId };
    const [room] = await this.client.call(roomRoutes.get, { params }).then((one) => [one], noneWhere(isOutOfSight));
    if (room === undefined || room.peers.some(({ bot }) => bot)) return;
    this.logToStderr(
      harmless(
        `No bot listens in the room ${roomId}: what is said there is neither transcribed nor attached to reports. \`earshot sessions create TITLE --room ${roomId}\` starts one.`,
      ),
    );
  }
}
