/** Reading back everything that a project holds about one person, as many records as there are. */
import { z } from 'zod';
import { ExportEnd, ExternalUserId, exportLimit, ProjectPath, QueryFlag } from '../common.js';
import { defineRoute } from '../route.js';
import type { RequiredScope } from '../scopes.js';

/** Kinds of records in the order of an export, with the scope that an API key needs for them. */
export const personRecordScopes = {
  leftOut: 'participants:read',
  participant: 'participants:read',
  formerId: 'participants:read',
  note: 'participants:read',
  notice: 'participants:read',
  sanction: 'sanctions:read',
  review: 'plugins:read',
  block: 'participants:read',
  reporter: 'reports:read',
  case: 'reports:read',
  report: 'reports:read',
  reportLine: 'reports:read',
  reportSound: 'reports:read',
  ruleExemption: 'plugins:read',
  ruleDecision: 'plugins:read',
  pluginRun: 'plugins:read',
  message: 'messages:read',
  roomToken: 'sessions:read',
  gathering: 'gatherings:read',
  gatheringMember: 'gatherings:read',
  gatheringInvitation: 'gatherings:read',
  player: 'gameplay:read',
  challenge: 'gameplay:read',
  battlePass: 'gameplay:read',
  battlePassLevel: 'gameplay:read',
  topic: 'gameplay:read',
  leaderboardScore: 'gameplay:read',
  leaderboardShare: 'gameplay:read',
  leaderboardExclusion: 'gameplay:read',
  gameEvent: 'gameplay:read',
  event: 'events:read',
  webhookDelivery: 'webhooks:read',
  auditEntry: 'audit:read',
} as const satisfies Record<string, RequiredScope>;

export type PersonRecordKind = keyof typeof personRecordScopes;
const isPersonRecordKind = (text: string): text is PersonRecordKind => Object.hasOwn(personRecordScopes, text);
export const personRecordKinds = Object.keys(personRecordScopes).filter(isPersonRecordKind);

export const PersonRecord = z
  .object({
    kind: z.enum(personRecordKinds),
    place: z.string().describe('Cursor of this record: pass it as `after` to continue'),
    record: z
      .record(z.string(), z.json())
      .describe(
        'The record as other operations show it, else as it is stored; a message whose audio is kept has it in `audio`',
      ),
  })
  .meta({ id: 'PersonRecord' });
export type PersonRecord = z.infer<typeof PersonRecord>;

const Place = z
  .string()
  .max(1_000)
  .regex(
    new RegExp(`^(${personRecordKinds.join('|')})\\.[^\\u0000]*$`),
    'is no cursor of an export; send the `next` of an answer',
  );

export const PersonExportQuery = z.object({
  after: Place.optional().describe('Continue after this cursor: `next` of the previous answer'),
  limit: exportLimit('records'),
  confidential: QueryFlag.optional().describe(
    'Also what others wrote in reports about the person, and notes of moderators on cases. Who asks for it may tell the person who reported them',
  ),
});
export type PersonExportQuery = z.infer<typeof PersonExportQuery>;

export const personExportRoutes = {
  export: defineRoute({
    operationId: 'exportPerson',
    summary: 'Stream everything that is held about a person.',
    description:
      'By external user id or participant id, current or from before a move. One JSON object per line, one kind after the other, oldest first. The last line is `{"next": …}`: the cursor to continue from, or null at the end. An answer without that line was cut off: ask again with the last `place` as `after`. The audio of a message, where it is kept, is in `audio` as a WAV file in base64. Not included: events about others that mention the person, summaries of whole sessions, answers that are kept for repeated requests for a day, and network addresses in the audit log; and, unless `confidential`, what others wrote in reports about the person and notes of moderators on cases. An API key gets the kinds that its scopes allow: participants, sanctions, plugins, messages, sessions, gatherings, gameplay, events, webhooks, audit. If it lacks some, the first record is `leftOut` and names them. The export itself is recorded.',
    group: 'Participants',
    method: 'get',
    path: '/api/projects/{projectId}/people/{user}/export',
    auth: ['apiKey', 'bearer'],
    scope: 'participants:read',
    role: 'admin',
    params: ProjectPath.extend({
      user: ExternalUserId.describe('External user id or participant id, current or from before a move'),
    }),
    query: PersonExportQuery,
    success: {
      status: 200,
      contentType: 'application/x-ndjson',
      item: z.union([PersonRecord, ExportEnd]).meta({ id: 'PersonExportLine' }),
    },
    errors: ['participant_not_found', 'rate_limited'],
  }),
};
