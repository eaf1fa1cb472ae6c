import * as Flags from '@oclif/core/flags';
import { forEach, rowsOfFile } from '../../src/cli/files/each-line.js';
import { GatheringCommand, gatheringColumns } from '../../src/cli/gatherings/gatherings.js';
import { nameFlag } from '../../src/cli/names/kinds.js';
import { flagsFor, requestFrom, typedCells } from '../../src/cli/typed/fields.js';
import { newNameArgument, newNameFlag, withName } from '../../src/cli/typed/new-name.js';
import { repeated } from '../../src/cli/typed/repeated.js';
import { CreateGatheringRequest, Gathering, gatheringRoutes } from '../../src/contract/gatherings/gatherings.js';
import { problemLines } from '../../src/contract/judge.js';
import { judgeRow, type ListRow, type ListShape, namesOf } from '../../src/files/list-rows.js';
import { UsageError } from '../../src/terminal/usage-error.js';

export default class GatheringsCreate extends GatheringCommand {
  static override summary = gatheringRoutes.create.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> "Friday raid" --max-members 8 --owner ann',
    '<%= config.bin %> <%= command.id %> Cup --type appointment --starts-at "in 2h" --email bob@example.com',
    '<%= config.bin %> <%= command.id %> --stdin < gatherings.ndjson',
  ];
  static override args = { name: newNameArgument };
  static override flags = {
    ...flagsFor(CreateGatheringRequest, ['name', 'ownerId', 'participants']),
    name: newNameFlag,
    owner: nameFlag('participant', 'Owner, who takes the first seat; default: the first to join'),
    email: Flags.string({ ...repeated, description: 'Address that gets a mail with the join code' }),
    stdin: Flags.boolean({
      description: 'Read requests from standard input: JSON as for the API, one per line, or CSV',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(GatheringsCreate);
    const projectId = await this.projectId();
    const create = (body: Parameters<typeof requestFrom<typeof CreateGatheringRequest>>[2]) =>
      this.client.call(gatheringRoutes.create, {
        params: { projectId },
        body: requestFrom(CreateGatheringRequest, flags, body),
      });
    if (flags.stdin && (args.name ?? flags.name) !== undefined)
      throw new UsageError('Write a name, or --stdin to read requests.');
    if (flags.stdin) {
      const rows = await rowsOfFile('-', shape);
      const made: Gathering[] = await forEach(rows, (row) => create(requestOf(row)), this.common);
      this.list(made, made, gatheringColumns);
      return;
    }
    const emails = Array.isArray(flags.email) ? flags.email : [];
    const owner = flags.owner !== undefined ? { ownerId: flags.owner } : {};
    const participants = emails.length === 0 ? {} : { participants: emails.map((email) => ({ email: String(email) })) };
    const { name } = withName(args, flags);
    if (name === '-') throw new UsageError('To read requests from standard input, write --stdin in place of -.');
    this.showGathering(await create({ name, ...owner, ...participants }));
  }
}

const shape: ListShape = {
  ...namesOf(CreateGatheringRequest, Gathering),
  ids: ['ownerId'],
  within: ['gatherings', 'items'],
  example: '{"name":"Friday raid","maxMembers":8}',
};

function requestOf(row: ListRow['fields']) {
  const judged = judgeRow(CreateGatheringRequest, typedCells(CreateGatheringRequest, row));
  if (judged.success) return judged.data;
  const problems = problemLines(judged.problems, 'request').join('; ');
  throw new UsageError(`${problems}. Write one request per line, such as ${shape.example}.`);
}
