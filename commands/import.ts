import { appendFile, writeFile } from 'node:fs/promises';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../src/cli/command/command.js';
import { csvLine } from '../src/cli/files/csv.js';
import { nameOf, readText } from '../src/cli/files/read-text.js';
import { reasonOf, writeOut } from '../src/cli/files/write-out.js';
import { moveBoards } from '../src/cli/import/boards.js';
import { type BoardShape, contentOf, type FileContent } from '../src/cli/import/file-sources.js';
import { gameplayContent } from '../src/cli/import/gameplay-service.js';
import { ImportRun } from '../src/cli/import/move.js';
import { movePeople } from '../src/cli/import/people.js';
import { SourceApi } from '../src/cli/import/source-api.js';
import { taloContent } from '../src/cli/import/talo.js';
import { moveVoiceService } from '../src/cli/import/voice-service.js';
import { Aggregate, SortOrder } from '../src/contract/gameplay/leaderboards.js';
import { interrupted, interruption } from '../src/terminal/interruption.js';
import { table } from '../src/terminal/output.js';
import { UsageError } from '../src/terminal/usage-error.js';

const sources = ['voice-service', 'gameplay-service', 'nakama', 'playfab', 'talo'] as const;
const columns = ['kind', 'found', 'created', 'there', 'left', 'refused'];

/** From the environment, because other programs of the machine see the arguments of a command. */
function keyOf(source: string): string {
  const key = process.env['EARSHOT_IMPORT_KEY'];
  if (!key) throw new UsageError(`${source} needs the API key of the service in EARSHOT_IMPORT_KEY.`);
  return key;
}

export default class Import extends ProjectCommand {
  static override summary = 'Import what another service has: people, sanctions, boards and more.';
  static override description =
    'Sources: voice-service and gameplay-service are the hosted services whose API Earshot has, talo is Talo, each by --from and a key; nakama and playfab are files, JSON or CSV. What is there already is found again and left as it is, so an import that broke off is continued by the same command. At the end come counts, what differs, and with --json or --mapping the ids there and here.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> voice-service --from https://voice.example --from-project p1 --dry-run',
    '<%= config.bin %> <%= command.id %> nakama records.json --mapping ids.csv',
    '<%= config.bin %> <%= command.id %> playfab statistics.csv --board kills --order desc',
    '<%= config.bin %> <%= command.id %> talo --from https://api.trytalo.com --board weekly',
  ];
  static override args = {
    source: Args.string({ required: true, options: [...sources], description: 'Where from' }),
    file: Args.string({ description: 'File of nakama and playfab; -: standard input' }),
  };
  static override flags = {
    from: Flags.string({ description: 'Address of the service; its API key is read from EARSHOT_IMPORT_KEY' }),
    'from-project': Flags.string({ description: 'Its project or app' }),
    'dry-run': Flags.boolean({ description: 'Show what would be created' }),
    board: Flags.string({
      multiple: true,
      delimiter: ',',
      description: 'Board of the scores; of talo, each board to import',
    }),
    order: Flags.string({ options: [...SortOrder.options], default: 'desc', description: 'Order of the boards' }),
    aggregate: Flags.string({
      options: [...Aggregate.options],
      default: 'best',
      description: 'How boards go on: the sum of what players score, the best or the last of it',
    }),
    season: Flags.string({ description: 'File to write challenges and passes of gameplay-service to' }),
    transcripts: Flags.string({ description: 'File to write sessions with transcripts to, one a line' }),
    mapping: Flags.string({ description: 'CSV file to write the ids to: kind, there, here' }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(Import);
    const projectId = await this.projectId();
    const signal = interruption();
    const mark = flags['from-project'] === undefined ? args.source : `${args.source}/${flags['from-project']}`;
    const move = new ImportRun(this.client, projectId, mark, flags['dry-run'], signal);
    const shape = {
      sortOrder: SortOrder.parse(flags.order),
      aggregate: Aggregate.parse(flags.aggregate),
      name: flags.board?.[0],
    };
    try {
      await this.carryOut(move, args, flags, shape);
    } finally {
      await this.report(move, flags.mapping);
    }
    if (signal.aborted) {
      this.logToStderr('Interrupted. The same command continues it.');
      process.exitCode = interrupted;
    } else if (move.counts.some(({ refused }) => refused > 0)) process.exitCode = 5;
  }

  private async carryOut(
    move: ImportRun,
    { source, file }: { readonly source: string; readonly file?: string | undefined },
    flags: Readonly<Record<'from' | 'from-project' | 'season' | 'transcripts', string | undefined>> & {
      readonly board?: readonly string[] | undefined;
    },
    shape: BoardShape,
  ): Promise<void> {
    const needed = (name: 'from' | 'from-project'): string => {
      const value = flags[name];
      if (value === undefined) throw new UsageError(`${source} needs --${name}.`);
      return value;
    };
    if (source === 'voice-service') {
      const api = new SourceApi(needed('from'), { 'X-API-Key': keyOf(source) });
      const path = move.isDryRun ? undefined : flags.transcripts;
      if (path !== undefined) await writeOut(path, '');
      const keep = path === undefined ? undefined : (session: object) => append(path, session);
      return moveVoiceService(move, api, needed('from-project'), keep);
    }
    if (source === 'gameplay-service') return this.moveGameplay(move, needed, flags.season, shape);
    if (source === 'talo') {
      if (flags.board === undefined)
        throw new UsageError('talo needs --board with the internal name of each leaderboard.');
      const api = new SourceApi(needed('from'), { Authorization: `Bearer ${keyOf(source)}` });
      return this.moveContent(move, await taloContent(api, flags.board, shape));
    }
    if (file === undefined) throw new UsageError(`${source} needs a file.`);
    await this.moveContent(move, contentOf(await readText(file), nameOf(file), shape));
  }

  /** The service shows challenges to players: a token of a player who is nobody sees them all. */
  private async moveGameplay(
    move: ImportRun,
    needed: (name: 'from' | 'from-project') => string,
    seasonPath: string | undefined,
    shape: BoardShape,
  ): Promise<void> {
    const [url, app] = [needed('from'), needed('from-project')];
    const server = new SourceApi(url, { Authorization: `Bearer ${keyOf('gameplay-service')}`, 'X-Project-Id': app });
    const answer = await server.post('/api/v1/auth/access-token', { user_id: 'earshot-import' });
    const token = String(Reflect.get(Object(answer), 'token'));
    const { season, ...content } = await gameplayContent(
      new SourceApi(url, { Authorization: `Bearer ${token}` }),
      app,
      shape,
    );
    await this.moveContent(move, content);
    const { challenges, battlePasses } = season;
    if (seasonPath !== undefined) await writeFile(seasonPath, `${JSON.stringify(season, null, 2)}\n`);
    if (challenges.length + battlePasses.length > 0)
      move.differs(
        `${challenges.length} challenges and ${battlePasses.length} battle passes: the service does not say which events they count; ${
          seasonPath === undefined
            ? 'write them to a file with --season'
            : `fill in each eventName of ${seasonPath}, then \`earshot gameplay apply ${seasonPath}\``
        }`,
      );
  }

  private async moveContent(move: ImportRun, { people, boards }: FileContent): Promise<void> {
    await movePeople(move, people);
    await moveBoards(move, boards);
  }

  private async report({ counts, ids, differences, isDryRun }: ImportRun, idsPath: string | undefined): Promise<void> {
    if (idsPath !== undefined) {
      const lines = ids.map(({ kind, from, to }) => csvLine([kind, from, to]));
      await writeOut(idsPath, [csvLine(['kind', 'there', 'here']), ...lines].join(''));
    }
    if (this.common.json === true) return this.printJson({ dryRun: isDryRun, counts, ids, differences });
    if (counts.length > 0) this.log(table(counts, columns, this.screen));
    for (const line of differences) this.logToStderr(line);
    if (isDryRun) this.logToStderr('Nothing was changed. `created` is what would be.');
  }
}

const append = (path: string, session: object): Promise<void> =>
  appendFile(path, `${JSON.stringify(session)}\n`).catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be written: ${reasonOf(cause)}.`, { cause });
  });
