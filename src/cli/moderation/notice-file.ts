/** Notices from outside the game in files: JSON as the API takes it, or with the fields of `reports list`, or CSV. */

import { problemLines } from '../../contract/judge.js';
import { CreateReportRequest, Notice, Report } from '../../contract/reports/reports.js';
import { judgeRow, type ListRow, type ListShape, namesOf } from '../../files/list-rows.js';
import { UsageError } from '../../terminal/usage-error.js';
import { typedCells } from '../typed/fields.js';

/** Fields of a notice by their names in lists, where they stand beside those of the report. */
const noticeFields = {
  noticeFrom: 'from',
  noticeReference: 'reference',
  trustedFlagger: 'trustedFlagger',
  receivedAt: 'receivedAt',
} as const;

const names = namesOf(CreateReportRequest, Report);

export const noticeShape: ListShape = {
  fields: {
    ...names.fields,
    externalUserId: ['externaluserid', 'user', 'userid', 'player', 'playerid'],
    reporterUserId: ['reporteruserid', 'reporter'],
    roomId: ['roomid', 'room'],
    noticeFrom: ['noticefrom', 'from'],
    noticeReference: ['noticereference', 'reference'],
    trustedFlagger: ['trustedflagger'],
    receivedAt: ['receivedat'],
  },
  ids: ['externalUserId', 'reporterUserId', 'roomId'],
  other: names.other,
  within: ['reports', 'items'],
  example: '{"externalUserId":"u_42","category":"threats","notice":{"from":"mail","reference":"17"}}',
};

/** The request of a row. Throws UsageError. */
export function noticeIn(row: ListRow['fields']): CreateReportRequest {
  const stated: Record<string, unknown> = {};
  const apart: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (value === null) continue;
    if (Object.hasOwn(noticeFields, name)) apart[noticeFields[name as keyof typeof noticeFields]] = value;
    else stated[name] = value;
  }
  const { from, reference } = apart;
  const notice = from === undefined && reference === undefined ? {} : { notice: typedCells(Notice, apart) };
  const judged = judgeRow(CreateReportRequest, { ...notice, ...typedCells(CreateReportRequest, stated) });
  if (!judged.success) throw new UsageError(`no notice: ${problemLines(judged.problems, 'line').join('; ')}`);
  if (judged.data.notice !== undefined) return judged.data;
  throw new UsageError('no notice: it has no field notice with from and reference.');
}
