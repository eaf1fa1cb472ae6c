/** Warnings and suspensions for misuse of reports and appeals: Regulation (EU) 2022/2065, Article 23(2). */
import { z } from 'zod';
import { Timestamp } from '../common.js';

export const Misused = z.enum(['reports', 'appeals']);
export type Misused = z.infer<typeof Misused>;

/** What a person is told who was warned or suspended. */
export const Misuse = z
  .object({
    externalUserId: z.string(),
    of: Misused.describe('What the person sent that was manifestly unfounded'),
    suspendedUntil: Timestamp.nullable().describe('Until when more of them are refused; null: they are taken'),
    language: z.string().describe('Language of the text: that of the person, else English'),
    text: z.string().describe('For the person'),
  })
  .meta({ id: 'Misuse' });
export type Misuse = z.infer<typeof Misuse>;

/** A suspension that the daemon proposes and a moderator decides on: Article 23(3). */
export const MisuseProposal = z
  .object({
    externalUserId: z.string(),
    of: Misused,
    proposedUntil: Timestamp.describe('Until when it would last, confirmed now'),
    decided: z.int().describe('Decided in the last half year: cases with a report of theirs, or appeals'),
    unfounded: z.int().describe('Of these, those that were manifestly unfounded'),
  })
  .meta({ id: 'MisuseProposal' });
export type MisuseProposal = z.infer<typeof MisuseProposal>;
