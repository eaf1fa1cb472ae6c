/** Fetches stored game events. */
import type { EarshotClient } from '../../client/earshot-client.js';
import { ExportedGameEvent, gameEventRoutes } from '../../contract/gameplay/game-event-export.js';
import { type ExportedRow, exportedRows, rowsAtOnce } from '../files/line-export.js';
import { stated } from '../typed/fields.js';

interface ExportRequest {
  readonly projectId: string;
  readonly since?: string;
  readonly until?: string;
  readonly userId?: string;
  /** Id behind which to begin. */
  readonly after?: string;
}

/** Everything there is, oldest first, an array at a time. Throws ApiError, DaemonUnreachable, CutOff. */
export const exportedEvents = (
  client: EarshotClient,
  { projectId, after: first, ...filter }: ExportRequest,
  signal: AbortSignal,
  trouble: (line: string) => void,
): AsyncGenerator<ExportedRow<ExportedGameEvent>[], void> => {
  const open = (after: string | undefined) => {
    const query = { ...filter, limit: rowsAtOnce, ...stated({ after }) };
    return client.open(gameEventRoutes.export, { params: { projectId }, query }, signal);
  };
  const read = (line: unknown) => ExportedGameEvent.parse(line);
  return exportedRows({ open, read, placeOf: ({ id }) => id, trouble }, first, signal);
};
