/**
 * Commands that decide nothing. A row states what such a command calls, what a person types for it and what it shows;
 * its flags, the request and the way through pages follow from the route. `commands/<topic>/rows.ts` has the rows of a
 * topic, and the build makes a command of each (bin/bundle.mjs).
 */
import type { Interfaces } from '@oclif/core';
import * as Flags from '@oclif/core/flags';
import { z } from 'zod';
import type { Result, Route } from '../../contract/route.js';
import { flagName } from '../../text/flag-names.js';
import { ListCommand, listFlags } from '../terminal/listing.js';
import { clearable, cleared, clearFlag } from '../typed/clear.js';
import { argumentOrFlag, flagsFor, requestFrom } from '../typed/fields.js';
import { EarshotCommand } from './command.js';
import type { ListStep } from './row-pages.js';

type TypedWords = Readonly<Record<string, unknown>>;

/** Fields of a request that people type in another way than the API takes them. */
export interface OwnWay {
  readonly fields: readonly string[];
  readonly flags: Interfaces.FlagInput;
  /** Returns the fields as the API takes them. Throws UsageError. */
  readonly from: (flags: TypedWords) => TypedWords;
}

export interface CommandRow<R extends Route = Route> {
  readonly route: R;
  /** Default: the summary of the route. */
  readonly summary?: string;
  readonly description?: string;
  readonly hiddenAliases?: readonly string[];
  /** What stands behind the name of the command in each example of its help. */
  readonly examples: readonly string[];
  /**
   * Those that no field of the body is named after fill the parameters of the path, in its order. A field that may be left
   * out as an argument is typed as a flag too.
   */
  readonly args?: Readonly<Record<string, Interfaces.Arg<string> | Interfaces.Arg<string | undefined>>>;
  /** The body, where no flags state it. */
  readonly body?: TypedWords | ((args: TypedWords) => TypedWords);
  readonly ownWay?: OwnWay;
  /** Returns what a list shows of an item; default: the item itself. */
  line?(item: ItemOf<R>): object;
  /** Columns of a list, or fields of the answer; default: all fields. */
  readonly columns?: readonly string[];
  /** What is said of an answer without a body. */
  readonly says?: string;
}

/** Items of a list. */
type ItemOf<R extends Route> = Listed<Result<R>>;
type Listed<Answer> = Answer extends readonly (infer Item)[]
  ? Item
  : { [Name in keyof Answer]-?: Answer[Name] extends readonly (infer Item)[] ? Item : never }[keyof Answer];

/** States a row, keeping the type of its route. */
export const commandRow = <R extends Route>(row: CommandRow<R>): CommandRow<R> => row;

/** The field of the answer that has the items of a list; null: the answer is a list itself. undefined: it is no list. */
function listIn({ success: { body } }: Route): string | null | undefined {
  if (body?.type === 'array') return null;
  if (!(body instanceof z.ZodObject)) return undefined;
  const lists = Object.entries(body.shape).filter(([, type]) => type instanceof z.ZodArray);
  return 'total' in body.shape && lists.length === 1 ? lists[0]?.[0] : undefined;
}

const textual = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const objectOf = (schema: z.ZodType | undefined): z.ZodObject =>
  schema instanceof z.ZodObject ? schema : z.object({});

/** The parameters of the path but for the project, which every command finds in the same way. */
const parametersOf = ({ path }: Route): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (name === 'projectId' ? [] : [name]));

const isPaged = (route: Route): boolean =>
  listIn(route) !== undefined && ['limit', 'after'].every((name) => name in objectOf(route.query).shape);

/** What people type for the row, and the request that it is. */
function inputOf({ route, args = {}, body: ownBody, ownWay }: CommandRow) {
  const body = ownBody === undefined ? objectOf(route.body) : z.object({});
  const query = objectOf(route.query);
  const fields = Object.keys(args).filter((name) => name in body.shape);
  const places = Object.keys(args).filter((name) => !(name in body.shape));
  const canClear = route.method === 'patch' && clearable(body).length > 0;

  const flags: Interfaces.FlagInput = {
    ...flagsFor(query),
    ...flagsFor(body, [...fields, ...(ownWay?.fields ?? [])]),
    ...Object.fromEntries(
      fields.flatMap((name) =>
        args[name]?.required === true ? [] : [[name, Flags.string({ description: 'Instead of the argument' })]],
      ),
    ),
    ...ownWay?.flags,
    ...(canClear ? clearFlag(body) : {}),
    ...(isPaged(route) ? listFlags : {}),
  };

  const bodyFrom = (typedArgs: TypedWords, typedFlags: TypedWords): object => {
    if (ownBody !== undefined) return typeof ownBody === 'function' ? ownBody(typedArgs) : ownBody;
    const named = fields.map((name) => [
      flagName(name),
      argumentOrFlag(textual(typedArgs[name]), textual(typedFlags[name]), name),
    ]);
    const also = { ...ownWay?.from(typedFlags), ...(canClear ? cleared(typedFlags) : {}) };
    return requestFrom(body, { ...typedFlags, ...Object.fromEntries(named) }, also as z.input<typeof body>);
  };
  const request = (typedArgs: TypedWords, typedFlags: TypedWords) => ({
    params: Object.fromEntries(parametersOf(route).map((name, place) => [name, typedArgs[places[place] ?? '']])),
    query: requestFrom(query, typedFlags),
    ...(route.body === undefined ? {} : { body: bodyFrom(typedArgs, typedFlags) }),
  });
  return { flags, request };
}

/** The command of a row, as oclif takes it. */
export function commandOf(row: CommandRow): typeof EarshotCommand {
  const { route, args = {}, columns = [] } = row;
  const { flags, request } = inputOf(row);
  const list = listIn(route);
  const items = (answer: object): readonly object[] =>
    Object(typeof list === 'string' ? Reflect.get(answer, list) : answer);
  const lines = (shown: readonly object[]) => shown.map((item) => row.line?.(item as never) ?? item);
  const isInProject = route.path.includes('{projectId}');
  // Names are looked up in a project, wherever the route is.
  const takesProject = isInProject || Object.values(args).some((one) => 'names' in one);

  return class RowCommand extends ListCommand {
    static override summary = row.summary ?? route.summary;
    static override description = row.description;
    static override hiddenAliases = [...(row.hiddenAliases ?? [])];
    static override examples = row.examples.map((line) => `<%= config.bin %> <%= command.id %> ${line}`.trimEnd());
    static override baseFlags = (
      takesProject ? ListCommand.baseFlags : EarshotCommand.baseFlags
    ) as typeof ListCommand.baseFlags;
    static override args: Interfaces.ArgInput = args;
    static override flags: Interfaces.FlagInput = flags;

    async run(): Promise<void> {
      const typed: { args: TypedWords; flags: TypedWords } = await this.input(RowCommand);
      const { params, query, body } = { body: undefined, ...request(typed.args, typed.flags) };
      const place = { ...(isInProject ? { projectId: await this.projectId() } : {}), ...params };
      const fetch = async (page: ListStep) =>
        Object(await this.client.call(route, { params: place, query: { ...query, ...page }, body }));
      if (isPaged(route)) {
        const { all, csv } = typed.flags;
        const shape = { fetch, items, rows: async (found: readonly object[]) => lines(found), columns };
        return this.showPages({ all: all === true, csv: csv === true }, shape);
      }
      const answer = await fetch({});
      if (row.says !== undefined) this.logToStderr(row.says);
      else if (list === undefined) this.show(answer, row.columns);
      else this.list(answer, lines(items(answer)), columns);
    }
  };
}
