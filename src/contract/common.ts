/** Pieces that several resources share: ids, times, pages, deletions. */
import { z } from 'zod';
import { isPathPart, notPathPart } from './path-part.js';

export const pageLimitDefault = 50;
export const pageLimitMax = 200;

/** Text that can be one part of a path: an id, a name, a code. */
export const PathPart = (lengthMax: number) => z.string().min(1).max(lengthMax).refine(isPathPart, notPathPart);

/** RFC 9562: UUIDs are read in capitals too, and written in small letters. */
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
export const withSmallUuid = (text: string): string => (uuid.test(text) ? text.toLowerCase() : text);

/** Id of a row: a UUIDv7, but accepted as any text so that an unknown id is a 404 and not a 400. */
export const Id = PathPart(100).overwrite(withSmallUuid);
export const ExternalUserId = PathPart(200).describe("The project's own id of a person");
export const RoomId = PathPart(200).describe('Room, by the id that the game uses');
export const TeamId = PathPart(200).describe('Team of the player');

/** Returns false where the address holds a user name or a password. What is no address is refused as that. */
const isWithoutUser = (address: string): boolean => {
  const url = URL.canParse(address) ? new URL(address) : null;
  return url === null || (url.username === '' && url.password === '');
};

/** Address that the daemon calls. A password in it would be shown with it, and is never sent. */
export const CalledUrl = (protocol = /^https?$/) =>
  z
    .url({ protocol })
    .max(2000)
    .refine(isWithoutUser, 'must not hold a user name or a password: state them in the fields for that');

const storableFrom = Date.parse('0001-01-01T00:00:00Z');
const storableUntil = Date.parse('9999-12-31T23:59:59.999Z');
/** The time, or the nearest one that databases hold: what is added to a time that a caller sent may lead beyond. */
export const storableTime = (ms: number): Date => new Date(Math.min(Math.max(ms, storableFrom), storableUntil));
/** Databases and RFC 3339 know no other years; an offset may lead out of them. What is no time is refused as that. */
export const isStorableTime = (time: Date): boolean =>
  !(time.getTime() < storableFrom || time.getTime() > storableUntil);

/** RFC 3339, UTC, milliseconds, as every answer writes it. */
export const Timestamp = z.iso.datetime().describe('RFC 3339 time');
/** A time that a caller sends: any offset. */
export const TimestampInput = z.iso
  .datetime({ offset: true })
  .refine((text) => isStorableTime(new Date(text)), 'lies outside the years 1 to 9999')
  .describe('RFC 3339 time');

/** A place in the log of events, as a caller sends it. */
export const EventIdOrTime = z.union([z.uuid(), TimestampInput], {
  error: 'write the id of an event, or a time such as 2026-01-31T12:00:00Z',
});

/** Mark of a field that is taken and left out of the OpenAPI document: another name of a documented one. */
export const undocumented = { undocumented: true };

/** Free data of the game: an object, kept as sent. */
export const FreeData = z.record(z.string().max(200), z.json());

export const ProjectPath = z.object({ projectId: Id.describe('Project') });
export const ItemPath = ProjectPath.extend({ id: Id });

/** `true` or `false` in a query. */
export const QueryFlag = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).meta({ type: 'boolean' });

/** Query parameter for the maximum number of items in an answer. */
const limitQuery = (what: string, most: number, usual: number) =>
  z.coerce.number<number>().int().min(1).max(most).default(usual).describe(`${what}, up to ${most}`);

export const pageLimit = (what: string) => limitQuery(what, pageLimitMax, pageLimitDefault);

/** Query parameter for the maximum number of items in an export. */
export const exportLimit = (what: string) => limitQuery(`Maximum number of ${what} in one answer`, 100_000, 10_000);

/** Query parameter that searches names. */
export const searchQuery = (what: string) =>
  z.string().max(200).optional().describe(`Part of ${what}; case is ignored`);

/** Characters of a cursor. */
export const cursorMax = 1_000;
/** Query parameter by which a list goes on after the last row of an answer. */
export const AfterQuery = z
  .string()
  .min(1)
  .max(cursorMax)
  .optional()
  .describe(
    'Continue after this cursor of an answer: its `nextAfter`, or `after` in its header Link. No row is repeated or left out when others come and go',
  );

export const PageQuery = z.object({
  limit: pageLimit('Rows'),
  offset: z.coerce.number<number>().int().min(0).default(0).describe('Rows to skip'),
  after: AfterQuery,
});
export type PageQuery = z.infer<typeof PageQuery>;

/** Query of a list that is answered as a whole unless a limit is asked for. */
export const PartQuery = PageQuery.extend({
  limit: PageQuery.shape.limit.unwrap().optional().describe('Rows; default: as many as fit in 2 MiB'),
});
export type PartQuery = z.output<typeof PartQuery>;

/** Query of a list that has no pages of its own (`isWholeList`). */
export const RestQuery = z.object({
  offset: PageQuery.shape.offset.describe(
    'Rows to skip. An answer ends at 2 MiB; its header Link then names the rest of the list',
  ),
  after: AfterQuery,
});

/** When something was made, in a query. `what`: the resource and its verb, such as `sanctions imposed`. */
export const madeQuery = (what: string) => ({
  since: TimestampInput.optional().describe(`Only ${what} at this time or later`),
  until: TimestampInput.optional().describe(`Only ${what} before this time`),
});
export interface MadeQuery {
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The fields beside the rows of a list answer. */
export const PageInfo = z.object({
  total: z.int().describe('Number of rows in total'),
  limit: z.int(),
  offset: z.int(),
  next: z
    .int()
    .optional()
    .describe('Present only if the answer ended at 2 MiB, before its limit: pass this as `offset` to continue'),
  nextAfter: z.string().optional().describe('Present only if there may be more rows: pass this as `after` to continue'),
});
export type PageInfo = z.infer<typeof PageInfo>;

/**
 * The field `cut` of an object with lists of its own. An answer ends at 2 MiB: what is named first is in it first, and the
 * field names each part that is not whole.
 */
export const cutParts = <const Names extends readonly [string, ...string[]]>(names: Names, rest: string) =>
  z
    .array(z.enum(names))
    .optional()
    .describe(`Present only if the answer ended at 2 MiB: the parts that are incomplete. ${rest}`);

/** The last line of an export. */
export const ExportEnd = z
  .object({ next: z.string().nullable().describe('Pass this as `after` to continue; null: there is no more') })
  .meta({ id: 'ExportEnd' });
export type ExportEnd = z.infer<typeof ExportEnd>;

export const Deleted = z.object({ id: z.string(), deleted: z.literal(true) }).meta({ id: 'Deleted' });

/** Something of it can be seen: not only spaces, marks without a letter, and characters of format. */
export const isVisible = (text: string): boolean =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(invisibleLetters, ''));
/** Letters and symbols that are drawn as nothing: fillers of Hangul, and the empty pattern of Braille. */
const invisibleLetters = /[\u115f\u1160\u3164\uffa0\u2800]/gu;
export const notVisible = 'is invisible: write at least one visible character';

/** A display name as people type it: trimmed, never empty. */
export const DisplayName = z.string().trim().min(1).max(200).refine(isVisible, notVisible);
export const Email = z.email({ pattern: z.regexes.html5Email }).max(320).describe('E-mail address');

/** True if the runtime knows it as a zone of the IANA list, such as Europe/Berlin. */
export const isTimeZone = (name: string): boolean => {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
};
