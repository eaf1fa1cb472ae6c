/** Reads what a person said and wrote for an export: with its sound while that may be heard, and what plugins found in it. */
import { readFile } from 'node:fs/promises';
import type { Database } from '../../platform/database/database.js';
import type { PersonRecords } from '../../platform/person-records.js';
import type { DebugAudio } from './bot/debug-audio.js';
import type { MessageAnnotations } from './message-annotations.js';
import type { MessageView } from './message-view.js';

interface ExportedMessages {
  readonly view: MessageView;
  readonly annotations: Pick<MessageAnnotations, 'beside'>;
  readonly recordings: Pick<DebugAudio, 'pathOf'>;
}

/** A page ends behind the message whose sound fills it. */
const audioBytesMax = 1024 * 1024;

export const messagePersonRecords = (
  { read: reader }: Pick<Database, 'read'>,
  { view, annotations, recordings }: ExportedMessages,
): PersonRecords[] => [
  {
    kind: 'message',
    async page({ projectId, externalUserId }, after, take) {
      const rows = await reader.message.findMany({
        where: { projectId, externalUserId, id: { gt: after } },
        orderBy: { id: 'asc' },
        take,
      });
      const messages = await annotations.beside(await view.shown(projectId, rows));
      const records = [];
      let bytes = 0;
      for (const [index, row] of rows.entries()) {
        if (bytes >= audioBytesMax) break;
        const message = messages[index];
        const name = message?.hasDebugAudio === true ? row.audioFile : null;
        const sound = name === null ? null : await readFile(recordings.pathOf(name)).catch(unlessMissing);
        bytes += sound?.length ?? 0;
        const audio = sound === null ? null : { mediaType: 'audio/wav', base64: sound.toString('base64') };
        records.push({ place: row.id, record: { ...message, audio } });
      }
      const isAll = records.length === rows.length && rows.length < take;
      return { records, next: isAll ? null : (records.at(-1)?.place ?? null) };
    },
  },
];

/** null: deleted since the message was read. */
function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
