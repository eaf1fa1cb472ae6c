/** Turns what a person has typed into the id that the API takes: one for all commands. */
import { ApiError } from '../../client/errors.js';
import { looksLikeId } from '../../names/id-shape.js';
import { canAsk, choose } from '../../terminal/questions.js';
import { UnknownName, UsageError } from '../../terminal/usage-error.js';
import { harmless } from '../../text/printable.js';
import { type Candidate, namedBy, namesNear } from './candidates.js';
import type { Kind } from './kinds.js';
import type { Lookup, Source } from './lookup.js';
import { sourceOf } from './sources.js';

const shownMax = 10;
/** People and rooms have ids of the project's own making; all other ids are UUIDs, which need no look-up. */
const ownIds: ReadonlySet<Kind> = new Set(['person', 'personById', 'participant', 'player', 'room', 'joinedRoom']);
/** Taken as typed where nothing has that name. */
const lenientKinds: ReadonlySet<Kind> = new Set(['player', 'joinedRoom']);
/** Taken as typed, without a look-up, where --new says so. */
const mayBeNew: ReadonlySet<Kind> = new Set(['person', 'personById', 'room']);
/** Taken as typed by a key that may not read people: scripts name them by their external id. */
const asTypedIfClosed: ReadonlySet<Kind> = new Set([...lenientKinds, 'personById']);

/**
 * Returns the id. `takesUnknown`: true takes a person or a room as typed, even if another one has that name; left out where the
 * command cannot do that, which then takes ids as they are typed where names are not looked up. Throws UnknownName,
 * with what is near; UsageError when several are meant and there is no terminal to ask on.
 */
export async function idOf(kind: Kind, typed: string, lookup: Lookup, takesUnknown?: boolean): Promise<string> {
  if (looksLikeId.test(typed) && !ownIds.has(kind)) return typed;
  if (mayBeNew.has(kind) && takesUnknown === true) return typed;
  if (kind === 'person' && takesUnknown === undefined && lookup.takesIdsAlone === true) return typed;
  const lenient = lenientKinds.has(kind);
  const source = await sourceOf(kind);
  const sought = source.isOfPerson ? await idOf('player', typed, lookup) : typed;
  const all = await source.find(lookup, sought).catch((error: unknown) => {
    const isClosed = error instanceof ApiError && error.status === 403;
    if (isClosed && asTypedIfClosed.has(kind)) return null;
    if (kind === 'person' && takesUnknown === undefined && isClosed)
      throw new UsageError(
        `Your credential cannot look up people by name: ${error.message} Add --id to use ${harmless(typed)} as an external user id.`,
      );
    throw error;
  });
  if (all === null) return typed;
  const meant = namedBy(sought, all);
  const [only, another] = meant;
  if (only === undefined) {
    if (lenient) return typed;
    throw unknown(
      source,
      typed,
      await nearTo(source, typed, lookup, all),
      mayBeNew.has(kind) && takesUnknown === false,
    );
  }
  return another === undefined ? only.id : oneOf(meant, source.noun, typed);
}

const nearTo = async ({ near }: Source, typed: string, lookup: Lookup, all: readonly Candidate[]): Promise<string[]> =>
  namesNear(typed, near === undefined ? all : await near(lookup, typed));

function unknown({ noun, command }: Source, typed: string, names: readonly string[], hasNew: boolean): UnknownName {
  const list = `\`earshot ${command}${command.endsWith('search') ? ' TEXT' : ''}\``;
  const hint = names.length > 0 ? `Did you mean ${names.join(' or ')}?` : `${list} shows the existing ones.`;
  const isNew = hasNew ? ` For a new ${noun === 'room' ? 'room' : 'external id'}, add --new.` : '';
  return new UnknownName(`There is no ${noun} ${harmless(typed)}. ${hint}${isNew}`);
}

/** Asks which one is meant; without a terminal the caller has to say it. */
async function oneOf(meant: readonly Candidate[], noun: string, typed: string): Promise<string> {
  const isAsked = canAsk();
  if (isAsked) return choose(`Which ${noun} is ${typed}?`, meant);
  const lines = meant.slice(0, shownMax).map(({ id, says }) => `\n  ${harmless(id)}  ${harmless(says)}`);
  const more = meant.length > shownMax ? `\n  and ${meant.length - shownMax} more` : '';
  throw new UsageError(
    `More than one ${noun} is ${harmless(typed)}; write the id${meant.some(({ isImported }) => isImported) ? ', or add --id' : ''}:${lines.join('')}${more}`,
  );
}
