/** Sanctions: their types, their state, and the record that is kept. */
import { z } from 'zod';
import { FreeData, Id, Timestamp } from '../common.js';
import { isPathPart, notPathPart } from '../path-part.js';
import { Participant } from '../people/participants.js';
import { sanctionTypes } from './sanction-kinds.js';
import { SanctionParameters } from './sanction-parameters.js';
import { DecidedBy, FoundBy, Ground, StatementSource } from './statement-basis.js';

export const SanctionType = z.enum(sanctionTypes);
export type SanctionType = z.infer<typeof SanctionType>;

export const SanctionEvidence = z
  .object({
    messageIds: z.array(Id).max(100).optional().describe('Messages of the project'),
    ruleId: Id.optional().describe('A rule of the project'),
    ruleVersion: z.int().optional().describe('A version of that rule'),
    score: z.number().optional().describe('The score that the rule found'),
    reviewId: Id.optional().describe('A review of the project'),
  })
  .meta({ id: 'SanctionEvidence' });

const scopeBytesMax = 4 * 1024;

/** Free: what the project means by it. Text, or an object of at most 4 KiB; kept and given back as sent. */
export const SanctionScope = z
  .union([
    z.string().max(200),
    FreeData.refine(
      (value) => new TextEncoder().encode(JSON.stringify(value)).length <= scopeBytesMax,
      'must have at most 4 KiB as JSON',
    ),
  ])
  .meta({ id: 'SanctionScope' });

export const SanctionStatus = z.enum(['active', 'expired', 'revoked']);

export const Sanction = z
  .object({
    id: z.string(),
    tenantId: z.string(),
    projectId: z.string(),
    participantId: z.string().nullable(),
    externalUserId: z.string().nullable(),
    sessionId: z.string().nullable().describe('The sanction applies in this session only'),
    type: SanctionType,
    scope: SanctionScope.nullable().describe('As sent: text or an object'),
    metadata: FreeData.nullable(),
    parameters: SanctionParameters.nullable(),
    evidence: SanctionEvidence.nullable(),
    source: StatementSource.describe('Who brought it up'),
    foundBy: FoundBy.describe('Who found what it is about: a person, or a program, such as a rule'),
    decidedBy: DecidedBy.describe('Who decided; both: a program proposed it, and a person confirmed it'),
    caseId: z.string().nullable().describe('The case in which it was decided'),
    category: z.string().nullable().describe('Category of that case'),
    ground: Ground.nullable().describe('The law or the terms that it is against'),
    template: z.string().nullable().describe('Template that it was imposed with'),
    reason: z.string().nullable().describe('Reason, shown to the sanctioned person'),
    note: z
      .string()
      .nullable()
      .optional()
      .describe('Only for moderators and keys with the scope sanctions; absent for everybody else and in events'),
    duration: z.int().nullable().describe('Seconds; null: until revoked'),
    startAt: Timestamp,
    endAt: Timestamp.nullable().describe('null: permanent'),
    createdByUserId: z
      .string()
      .nullable()
      .describe("User, API key, or participant with a moderator's link; null: a rule imposed it"),
    createdBy: z
      .string()
      .nullable()
      .optional()
      .describe(
        'Who imposed it: an e-mail address, `key NAME`, `player ID`, `rule NAME` or `the system`; null: deleted, or not visible to the caller. Absent in events',
      ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    revokedAt: Timestamp.nullable(),
    revokedByUserId: z.string().nullable(),
    revokeReason: z.string().nullable(),
    batchId: z.string().nullable().describe('The batch that issued it'),
    isActive: z.boolean().describe('In force at this moment'),
    status: SanctionStatus,
    participant: Participant.nullable(),
  })
  .meta({ id: 'SanctionResponse' });
export type Sanction = z.infer<typeof Sanction>;

/** The person is told in this language. */
export const ToldPerson = z
  .object({ language: z.string(), title: z.string(), text: z.string() })
  .meta({ id: 'AnnouncedStatement' });
export type ToldPerson = z.infer<typeof ToldPerson>;

/** Form in events, without the notes of moderators, and with what the person is told. */
export const AnnouncedSanction = Sanction.omit({ note: true, createdBy: true }).extend({
  statement: ToldPerson.nullable()
    .optional()
    .describe(
      'What to tell the person; null: nothing, as of a shadow mute in force. The address of their page is in `getStatement`',
    ),
});
export type AnnouncedSanction = z.infer<typeof AnnouncedSanction>;

/** Name of a batch or of a template: valid in a path and on a command line. */
export const SanctionName = z
  .string()
  .regex(/^[\w.-]{1,100}$/, 'up to 100 letters, digits, dots, hyphens, underscores')
  .refine(isPathPart, notPathPart);
