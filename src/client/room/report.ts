/** Reports somebody in a room, or the room, with the room token. */
import type { ReportReceipt, roomReportRoutes } from '../../contract/reports/reports.js';
import type { CallInput } from '../../contract/route.js';
import { postJson } from './resource.js';
import type { RoomAccess } from './room-access.js';

/** Returns the receipt, for the reporter to read. Throws ApiError, DaemonUnreachable. */
export async function report(
  access: RoomAccess,
  request: CallInput<typeof roomReportRoutes.create>['body'],
): Promise<ReportReceipt> {
  const { text } = await postJson(access, 'reports', request);
  return JSON.parse(text) as ReportReceipt;
}
