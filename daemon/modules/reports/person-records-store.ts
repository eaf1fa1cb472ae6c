/**
 * Reads the reports of a person for an export. A report about them does not say who made it, nor what they wrote, and a case has
 * no notes, unless the export is confidential.
 */
import { withoutConcealed } from '../../../src/contract/people/concealed.js';
import type { Database } from '../../platform/database/database.js';
import { byId, type ExportedPerson, type PersonRecords, plain, recordsOf } from '../../platform/person-records.js';

const reportsOf =
  ({ read: reader }: Pick<Database, 'read'>) =>
  async ({ projectId, externalUserId, confidential }: ExportedPerson, after: string, take: number) => {
    const rows = await reader.report.findMany({
      where: { projectId, id: { gt: after }, OR: [{ externalUserId }, { reporterUserId: externalUserId }] },
      orderBy: { id: 'asc' },
      take,
    });
    const silent = { words: null, complainedAt: null, complaint: null, complaintAnswer: null };
    const ofOther = { reporterUserId: null, ...(confidential ? {} : silent) };
    return rows.map((row) => (row.reporterUserId === externalUserId ? row : { ...row, ...ofOther }));
  };

const linesOf =
  ({ read: reader }: Pick<Database, 'read'>) =>
  async ({ projectId, externalUserId }: ExportedPerson, after: string, take: number) => {
    const [reportId = '', messageId = ''] = after.split('.');
    return reader.reportLine.findMany({
      where: {
        projectId,
        externalUserId,
        OR: [{ reportId: { gt: reportId } }, { reportId, messageId: { gt: messageId } }],
      },
      orderBy: [{ reportId: 'asc' }, { messageId: 'asc' }],
      take,
    });
  };

const reporterOf =
  ({ read: reader }: Pick<Database, 'read'>) =>
  ({ projectId, externalUserId }: ExportedPerson, after: string) =>
    reader.reporter.findMany({ where: { projectId, externalUserId: { equals: externalUserId, gt: after } } });

const casesOf =
  ({ read: reader }: Pick<Database, 'read'>) =>
  async ({ projectId, externalUserId, confidential }: ExportedPerson, after: string, take: number) => {
    const where = { projectId, externalUserId, id: { gt: after } };
    const rows = await reader.case.findMany({ where, orderBy: { id: 'asc' }, take });
    return confidential ? rows : rows.map((row) => ({ ...row, note: null, proposal: null }));
  };

const soundsOf =
  ({ read: reader }: Pick<Database, 'read'>) =>
  ({ projectId, externalUserId }: ExportedPerson, after: string, take: number) =>
    reader.reportSound.findMany({
      where: { projectId, externalUserId, id: { gt: after } },
      orderBy: { id: 'asc' },
      take,
      omit: { sealed: true },
    });

export const reportPersonRecords = (database: Pick<Database, 'read'>): PersonRecords[] => [
  recordsOf('reporter', reporterOf(database), ({ externalUserId }) => externalUserId),
  recordsOf('case', casesOf(database), byId, (row) => withoutConcealed(plain(row, 'proposal'))),
  recordsOf('report', reportsOf(database), byId),
  recordsOf('reportSound', soundsOf(database), byId),
  recordsOf(
    'reportLine',
    linesOf(database),
    ({ reportId, messageId }) => `${reportId}.${messageId}`,
    ({ senderName: _, ...row }) => plain(row),
  ),
];
