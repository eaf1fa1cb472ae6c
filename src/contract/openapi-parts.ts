/** Pieces of an operation that every kind of operation has: refusals, headers, parameters. */
import type { z } from 'zod';
import { type ErrorCode, errorCatalogue } from './error-catalogue.js';
import type { NamedSchemas } from './named-schemas.js';
import type { Json } from './tidy-schema.js';

export const reference = (kind: 'schemas' | 'headers' | 'parameters', name: string): Json => ({
  $ref: `#/components/${kind}/${name}`,
});

/** Headers that answers refer to. */
export const headers: Json = {
  RetryAfter: {
    description: 'Seconds after which to ask again',
    schema: { type: 'integer', format: 'int32', minimum: 0 },
  },
  WwwAuthenticate: { description: 'Accepted kinds of credential', schema: { type: 'string' } },
};

export const parameters: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'For 24 hours, a request that is sent again with the same key and body gets the stored answer and has no second effect.',
    schema: { type: 'string', maxLength: 255 },
  },
  GameplayProject: {
    name: 'X-Project-Id',
    in: 'header',
    required: false,
    description: 'The project, for an API key that is not limited to one; default: the only one of the tenant.',
    schema: { type: 'string', maxLength: 100 },
  },
};

const headersOf: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': reference('headers', 'WwwAuthenticate') },
  429: { 'Retry-After': reference('headers', 'RetryAfter') },
  503: { 'Retry-After': reference('headers', 'RetryAfter') },
};

/** One answer for each status, with its possible codes. */
export function refusals(codes: readonly ErrorCode[], body: 'ErrorBody' | 'GameplayErrorBody' = 'ErrorBody'): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const { status } = errorCatalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const answers = [...byStatus].sort(([one], [other]) => one - other);
  return Object.fromEntries(
    answers.map(([status, those]) => [
      String(status),
      {
        description: those.map((code) => `\`${code}\`: ${errorCatalogue[code].message}`).join('\n\n'),
        ...(headersOf[status] === undefined ? {} : { headers: headersOf[status] }),
        content: { 'application/json': { schema: reference('schemas', body) } },
        'x-error-codes': those,
      },
    ]),
  );
}

/** The documented values in a path, a query or the headers. */
export function parametersIn(
  place: 'path' | 'query' | 'header',
  type: z.ZodObject | undefined,
  schemas: NamedSchemas,
): Json[] {
  // Generators give parameters by their place here: the cursor, which lists took later, follows the others.
  const isLast = ([name]: [string, unknown]): number => Number(name === 'after');
  const fields = Object.entries(type?.shape ?? {}).toSorted((one, other) => isLast(one) - isLast(other));
  return fields.flatMap(([name, field]) => {
    const { description, undocumented, ...schema } = schemas.schemaOf(field as z.ZodType, 'input');
    if (undocumented === true) return [];
    const required = place === 'path' || !(field as z.ZodType).safeParse(undefined).success;
    return [{ name, in: place, required, description: description ?? parameterDescriptions[name], schema }];
  });
}

/** Descriptions of parameters that several operations have. */
const parameterDescriptions: Readonly<Record<string, string>> = {
  id: 'Id, as answers of this path name it',
  name: 'Name of the template',
  slug: 'Action, by slug',
  type: 'Type',
  memberType: 'user or team',
  memberId: 'Player or team, by the id that the game uses',
  challengeId: 'Challenge',
  challenge_id: 'Challenge',
  battlePassId: 'Battle pass',
  battle_pass_id: 'Battle pass',
  levelId: 'Level of the battle pass',
  leaderboardId: 'Leaderboard',
  leaderboard_id: 'Leaderboard',
  rebuildId: 'Rebuild of the leaderboard',
  invitationId: 'Invitation',
  messageId: 'Message',
  noteId: 'Note',
  participantId: 'Participant',
  sessionId: 'Voice session',
  'x-timestamp': 'Time of the signature, in seconds since 1970',
  'x-signature': 'Hex HMAC-SHA256 over the timestamp and the raw body',
  'x-project-id': 'Project of the event',
  'idempotency-key': 'A request that is sent again with the same key has no second effect',
};
