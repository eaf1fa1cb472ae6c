/** Base of every command: the client, the project, results on stdout and everything else on stderr. */
import { isDeepStrictEqual } from 'node:util';
import type { Interfaces } from '@oclif/core';
import { Command } from '@oclif/core/command';
import * as Flags from '@oclif/core/flags';
import type { EarshotClient } from '../../client/earshot-client.js';
import { ApiError, MayBeDone } from '../../client/errors.js';
import { looksLikeId } from '../../names/id-shape.js';
import { record, type Screen, table } from '../../terminal/output.js';
import { print, printError } from '../../terminal/terminal.js';
import { UnknownName } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';
import { shellWord } from '../../text/shell-word.js';
import { type Kind, namesTyped } from '../names/kinds.js';
import { listForm } from '../terminal/list-form.js';
import { printPaged } from '../terminal/pager.js';
import { askForTime, daemonNow, mayHoldTimes } from '../typed/daemon-clock.js';
import { listWithSpaces } from '../typed/list-with-spaces.js';
import { unknownFlag, unknownFlagOf } from '../typed/unknown-flag.js';
import { unknownOption } from '../typed/unknown-option.js';
import { daemonClient, idempotencyKeysOfRun, idempotencyVariable } from './daemon-client.js';
import { withHint } from './hints.js';
import { Machine, type TypedPlace, urlDefault } from './machine.js';
import { onlyProject } from './only-project.js';
import { loadProfile } from './profile.js';
import { isClosed } from './refusals.js';

export type CommonFlags = {
  readonly json?: boolean | undefined;
  readonly url?: string | undefined;
  readonly profile?: string | undefined;
  readonly project?: string | undefined;
  readonly ids?: boolean | undefined;
  readonly id?: boolean | undefined;
  readonly items?: boolean | undefined;
};

/** Input that a command class declares; `Flags` and `Args` are what parsing makes of it. */
interface Declared<
  Flags extends Interfaces.OutputFlags<Interfaces.FlagInput>,
  Args extends Interfaces.OutputArgs<Interfaces.ArgInput>,
> {
  readonly flags: Interfaces.FlagInput<Flags>;
  readonly args: Interfaces.ArgInput<Args>;
  readonly baseFlags: Interfaces.FlagInput<CommonFlags>;
  readonly strict: boolean;
}

export abstract class EarshotCommand extends Command {
  static override baseFlags = {
    json: Flags.boolean({ description: 'Print exactly what the API returned', helpGroup: 'GLOBAL' }),
    items: Flags.boolean({
      description: 'Print every list as JSON in the form {items, total, next}',
      helpGroup: 'GLOBAL',
    }),
    url: Flags.string({ description: 'Address of the daemon', env: 'EARSHOT_URL', helpGroup: 'GLOBAL' }),
    profile: Flags.string({ description: 'Profile to use', env: 'EARSHOT_PROFILE', helpGroup: 'GLOBAL' }),
    ids: Flags.boolean({ description: 'Show full ids in tables, even on a narrow terminal', helpGroup: 'GLOBAL' }),
  };
  /** Empty and not of any shape, so that a command that declares none reads none. */
  static override flags = {};
  static override args = {};

  protected common: CommonFlags = {};
  /** What the line itself says about the machine; the environment is not part of it. */
  protected typedPlace: TypedPlace = {};

  /** Parses the line by the flags and arguments that `of`, the command's class, declares. */
  protected async input<
    Flags extends Interfaces.OutputFlags<Interfaces.FlagInput>,
    Args extends Interfaces.OutputArgs<Interfaces.ArgInput>,
  >(of: Declared<Flags, Args>): Promise<{ flags: Flags & CommonFlags; args: Args; argv: string[] }> {
    // Stated one by one: oclif copies what a class itself states and misses what it inherits.
    const { flags: own, args: named, baseFlags, strict } = of;
    // Otherwise an argument that is left out is read from standard input: in `while read`, the lines that are still to come.
    for (const argument of Object.values(named)) Object.assign(argument, { ignoreStdin: true });
    const parsed = this.parse({ flags: own, args: named, baseFlags, strict });
    const { flags, args, argv, raw } = await parsed.catch((error: unknown) => {
      const flag = unknownFlagOf(error);
      if (flag !== null) throw unknownFlag(flag, Object.keys({ ...own, ...baseFlags }));
      throw listWithSpaces(error, own, this.argv) ?? unknownOption(error);
    });
    const isTyped = (name: string) => raw.some((token) => token.type === 'flag' && token.flag === name);
    const places = ['url', 'profile', 'project'].filter(isTyped);
    this.typedPlace = Object.fromEntries(places.map((name) => [name, Reflect.get(flags, name)]));
    this.common = Object.assign(flags, { json: flags.json === true || flags.items === true });
    if (mayHoldTimes({ ...flags, ...args })) await askForTime(this.baseUrl);
    const takesUnknown = 'new' in own ? Reflect.get(flags, 'new') === true : undefined;
    const typed = namesTyped(named, args);
    await this.nameIn(named, args, takesUnknown).catch(async (error: unknown) => {
      throw (await this.otherOrder(typed, error)) ?? error;
    });
    await this.nameIn(own, flags, takesUnknown);
    return { flags, args, argv: argv.map(String) };
  }

  /** Replaces names by ids, for the flags and arguments that are declared to name something. */
  private async nameIn(
    definitions: Readonly<Record<string, unknown>>,
    typed: Record<string, unknown>,
    takesUnknown: boolean | undefined,
  ): Promise<void> {
    for (const [key, kind, text] of namesTyped(definitions, typed))
      typed[key] = await this.idOf(kind, text, takesUnknown);
  }

  /** The refusal of two names in the wrong order; null: the order is not what is wrong. */
  private async otherOrder(typed: ReturnType<typeof namesTyped>, error: unknown): Promise<UnknownName | null> {
    const [one, other, ...more] = typed;
    if (!(error instanceof UnknownName) || one === undefined || other === undefined || more.length > 0) return null;
    const [[, kind, first], [, otherKind, second]] = [one, other];
    if (kind === otherKind || (await this.idOf(otherKind, first, false).catch(() => null)) === null) return null;
    const line = harmless(`earshot ${this.id?.replaceAll(':', ' ')} ${shellWord(second)} ${shellWord(first)}`);
    return new UnknownName(`${error.message} Did you mean the other order, \`${line}\`?`);
  }

  /** The id of what the text names. Throws UnknownName; UsageError where several are meant and nobody can be asked. */
  protected async idOf(kind: Kind, text: string, takesUnknown?: boolean): Promise<string> {
    const { idOf } = await import('../names/resolve.js');
    const lookup = { client: this.client, projectId: () => this.projectId(), takesIdsAlone: this.common.id };
    return idOf(kind, text, lookup, takesUnknown);
  }

  /** Only commands within a project name what lies in one. */
  protected projectId(): Promise<string> {
    throw new Error(`${this.id} acts in no project`);
  }

  protected get machine(): Machine {
    return new Machine(this.typedPlace, this.signsIn);
  }

  protected get profileName(): string {
    return this.machine.profileName;
  }

  protected get baseUrl(): string {
    return this.machine.url;
  }

  private connected: EarshotClient | undefined;
  private readonly idempotencyKeys = idempotencyKeysOfRun();

  protected get client(): EarshotClient {
    const { url, credential } = this.machine;
    const isSame =
      this.connected?.baseUrl === url && isDeepStrictEqual(this.connected.credential, credential ?? undefined);
    if (this.connected === undefined || !isSame)
      this.connected = daemonClient(url, credential, this.idempotencyKeys, this.nameMachine);
    return this.connected;
  }

  private isNamed = false;
  /** Names the machine before the first change, where it is not the usual one. */
  private readonly nameMachine = (): void => {
    const unusual = this.isNamed || this.signsIn || this.common.json === true ? null : this.machine.unusual;
    this.isNamed = true;
    if (unusual !== null) this.logToStderr(unusual);
  };

  /** The user token in use; undefined: an API key is, or nothing. */
  protected get bearerToken(): string | undefined {
    const { credential } = this.client;
    return credential?.kind === 'bearer' ? credential.token : undefined;
  }

  protected get screen(): Screen {
    const isTerminal = process.stdout.isTTY === true;
    return { isTerminal, now: daemonNow(), width: process.stdout.columns, ids: this.common.ids };
  }

  /** A table of the rows, or the answer itself with --json. */
  protected list(answer: unknown, rows: readonly object[], columns: readonly string[]): void {
    if (this.common.json === true) this.printJson(answer);
    else if (rows.length === 0) this.logToStderr('Nothing to show.');
    else printPaged(table(rows, columns, this.screen));
    if (this.common.json !== true) this.sayOfHowMany(answer, Array.isArray(answer) ? answer.length : rows.length);
  }

  /** Says on stderr where the answer is a part of what there is. */
  protected sayOfHowMany(answer: unknown, shown: number): void {
    const total = typeof answer === 'object' && answer !== null ? this.client.totalOf(answer) : null;
    if (total !== null && total > shown && shown > 0) this.logToStderr(`${shown} of ${total}`);
  }

  /** The answer as the API gave it, or with --items in the one form that lists have. */
  protected printJson(answer: unknown): void {
    const total = typeof answer === 'object' && answer !== null ? this.client.totalOf(answer) : null;
    const offset = Number(Reflect.get(this.common, 'offset') ?? 0);
    const list = this.common.items === true ? listForm(answer, { total, offset }) : null;
    // Whoever goes on by cursor does so on.
    const isByCursor = list !== null && typeof list.next !== 'string' && Reflect.has(this.common, 'after');
    const shown = isByCursor ? { ...list, next: this.client.nextOf(Object(answer)) } : (list ?? answer);
    this.log(JSON.stringify(shown, null, 2));
  }

  protected show(answer: object, columns?: readonly string[]): void {
    if (this.common.json === true) this.printJson(answer);
    else
      this.log(
        record(
          columns === undefined ? answer : Object.fromEntries(columns.map((name) => [name, Reflect.get(answer, name)])),
          this.screen,
        ),
      );
  }

  /** A check has failed: the exit code is 1, in every command that checks something. */
  protected checkFailed(): void {
    process.exitCode = 1;
  }

  override log(text = ''): void {
    print(text);
  }

  override logToStderr(text = ''): void {
    printError(text);
  }

  /** Errors are passed to `runCli`, which alone prints them. */
  override async catch(error: Error): Promise<never> {
    if (error instanceof MayBeDone && error.idempotencyKey !== null) {
      const again = `${idempotencyVariable}=${this.idempotencyKeys.run}`;
      throw withHint(error, `With ${again} set, the same command is carried out once at most.`);
    }
    const refused = error instanceof ApiError && error.status === 401 && this.signsIn === false;
    throw refused ? withHint(error, this.howToSignIn()) : error;
  }

  /** Commands that sign in know themselves what is wrong. */
  protected readonly signsIn: boolean = false;

  private howToSignIn(): string {
    const place = this.baseUrl === urlDefault ? '' : ` --url ${this.baseUrl}`;
    const whose = this.typedPlace.profile === undefined ? '' : ` --profile ${this.typedPlace.profile}`;
    const login = `earshot login${place}${whose}`;
    const variable = this.machine.credentialVariable;
    if (variable === 'EARSHOT_API_KEY') {
      const inUse = 'EARSHOT_API_KEY is in use. Some operations are only for people: unset it and type';
      return (process.env.EARSHOT_ADMIN_PASSWORD ?? '') === ''
        ? `${inUse} \`${login}\`; \`earshot api-keys create\` creates another key.`
        : `${inUse} \`echo "$EARSHOT_ADMIN_PASSWORD" | ${login} --email "$EARSHOT_ADMIN_EMAIL" --password-stdin\`.`;
    }
    if (variable !== null) return `${variable} is in use, but no longer valid. Unset it and type \`${login}\`.`;
    const stored = loadProfile(this.profileName);
    const elsewhere =
      stored?.token !== undefined && stored.url !== this.baseUrl ? `The stored login is for ${stored.url}. ` : '';
    return `${elsewhere}Type \`${login}\`.`;
  }
}

export abstract class ProjectCommand extends EarshotCommand {
  static override baseFlags = {
    ...EarshotCommand.baseFlags,
    project: Flags.string({
      description: 'Project, by name or id; default: the only one',
      env: 'EARSHOT_PROJECT',
      helpGroup: 'GLOBAL',
    }),
    id: Flags.boolean({ description: 'Match people by id only, never by display name', helpGroup: 'GLOBAL' }),
  };

  private found: Promise<string> | undefined;

  /** The project of the flag, the environment or the profile, else the only one there is. Throws UsageError. */
  protected override projectId(): Promise<string> {
    this.found ??= this.findProject();
    return this.found;
  }

  private async findProject(): Promise<string> {
    const named = this.machine.project;
    if (named === undefined) return onlyProject(this.client);
    if (looksLikeId.test(named)) return named;
    return this.idOf('project', named).catch((error: unknown) => {
      throw isClosed(error) && error instanceof ApiError
        ? withHint(error, 'Or name the project by its id, which needs no look-up.')
        : error;
    });
  }
}
