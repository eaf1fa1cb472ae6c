/** Transcripts of voice sessions: what was said and written, who joined and left, and the recordings. */

import { DomainError, type Hindrance, refusalWhile } from '../../../src/contract/errors.js';
import type { HistoryEntry } from '../../../src/contract/people/participant-records.js';
import type {
  AsrReport,
  CreateMessageRequest,
  Message,
  Session,
  TranscriptQuery,
} from '../../../src/contract/sessions/sessions.js';
import { savedName } from '../../../src/text/transcript-file.js';
import type { Database, Reader, Transaction } from '../../platform/database/database.js';
import type { EventLog } from '../../platform/events/log.js';
import type { ProjectGrant } from '../../platform/http/caller.js';
import type { Clock } from '../../platform/time/clock.js';
import { dayMs } from '../../platform/time/spans.js';
import type { SessionDirectory } from './directory.js';
import { type MessageRow, type MessageStore, type NewMessageRow, toMessage } from './message-store.js';
import type { MessageView } from './message-view.js';
import type { RecentErasures } from './recent-erasures.js';

/** People of the project, created when first seen. */
interface ParticipantLookup {
  ensure(
    tx: Transaction,
    who: { tenantId: string; projectId: string; externalUserId: string; displayName?: string },
  ): Promise<Speaker>;
  known(tx: Transaction, projectId: string, externalUserId: string): Promise<Speaker | null>;
  /** The person who had the external user id before a move. */
  formerly(projectId: string, externalUserId: string, tx: Transaction): Promise<Speaker | null>;
}

interface Speaker {
  readonly id: string;
  readonly externalUserId: string;
  readonly displayName: string;
}

/** What the sanctions of a person say about what they write. */
interface TextPolicy {
  /** false: it is shown to nobody but themselves and moderators. */
  readonly audible: boolean;
  readonly banned: Hindrance | null;
  readonly textSilenced: Hindrance | null;
  readonly limited: Hindrance | null;
}

interface TextPolicies {
  policy(projectId: string, roomId: string, externalUserId: string): Promise<TextPolicy>;
}

/** Throws participant_banned, participant_muted, participant_limited, with the reason and the end. */
function refuseText({ banned, textSilenced, limited }: TextPolicy): void {
  if (banned !== null) throw refusalWhile('participant_banned', banned);
  if (textSilenced !== null) throw refusalWhile('participant_muted', textSilenced);
  if (limited !== null) throw refusalWhile('participant_limited', limited);
}

/** Sessions of the project; null for unknown ones. */
interface SessionLookup {
  find(projectId: string, id: string, reader?: Reader | Transaction): Promise<object | null>;
}

/** One utterance of a speaker. */
export interface HeardUtterance {
  readonly externalUserId: string;
  /** As they are called in the room; null: they have left it. */
  readonly displayName: string | null;
  readonly content: string;
  readonly spokenAt: Date;
  /** On the session's clock. */
  readonly startMs: number;
  readonly endMs: number;
  readonly language: string | null;
  readonly status: 'recognised' | 'dropped' | 'failed';
  readonly asr: AsrReport | null;
  readonly shadowMuted: boolean;
  readonly audioFile: string | null;
}

const debugAudioMs = dayMs;
/** Shown instead of text that could not be recognised. */
const unheard = {
  dropped: '[not transcribed: too much speech at once]',
  failed: '[not transcribed: the recogniser failed]',
};

interface TranscriptServiceNeeds {
  readonly database: Database;
  readonly log: EventLog;
  readonly sessions: SessionLookup;
  readonly messages: MessageStore;
  readonly participants: ParticipantLookup;
  readonly rooms: Pick<SessionDirectory, 'roomOf'>;
  readonly writers: TextPolicies;
  readonly view: MessageView;
  readonly erasures: Pick<RecentErasures, 'has'>;
  readonly now: Clock;
}

export class TranscriptService {
  constructor(private readonly needs: TranscriptServiceNeeds) {}

  /** Throws session_not_found, validation_failed where the page is to begin behind a message that there is not. */
  async page(
    projectId: string,
    id: string,
    { limit, order, after }: TranscriptQuery,
  ): Promise<{ messages: Message[]; total: number }> {
    if ((await this.needs.sessions.find(projectId, id)) === null) throw new DomainError('session_not_found');
    const rows =
      order === 'stored'
        ? await this.needs.messages.listStored(id, after, limit)
        : await this.needs.messages.list(id, await this.position(projectId, id, after), limit);
    const isAll = limit === undefined && after === undefined;
    return {
      messages: await this.needs.view.shown(projectId, rows),
      total: isAll ? rows.length : await this.needs.messages.countOf(id),
    };
  }

  /** Throws validation_failed. */
  private async position(projectId: string, id: string, after: string | undefined): Promise<MessageRow | null> {
    const behind = after === undefined ? null : await this.needs.messages.find(projectId, id, after);
    if (after === undefined || behind !== null) return behind;
    throw new DomainError('validation_failed', {
      details: [{ path: 'query.after', message: 'is not a message of this session, or not any more; start again' }],
    });
  }

  /**
   * A text message of a participant; what a shadow-muted one writes is marked, and reaches nobody else in the room. Throws
   * session_not_found, and unless the caller has judged it participant_banned, participant_muted, participant_limited.
   */
  async say(
    { projectId, tenantId }: ProjectGrant,
    id: string,
    { externalUserId, content, judged }: CreateMessageRequest,
  ): Promise<Message> {
    const roomId = await this.needs.rooms.roomOf(projectId, id);
    if (roomId === null) throw new DomainError('session_not_found');
    const policy = await this.needs.writers.policy(projectId, roomId, externalUserId);
    if (judged !== true) refuseText(policy);
    return this.needs.database.transaction(async (tx) => {
      if ((await this.needs.sessions.find(projectId, id, tx)) === null) throw new DomainError('session_not_found');
      const participant = await this.needs.participants.ensure(tx, { tenantId, projectId, externalUserId });
      return this.store(tx, tenantId, 'cortex:api', {
        ...this.blank(projectId, id),
        senderName: participant.displayName,
        content,
        participantId: participant.id,
        externalUserId,
        origin: 'text',
        shadowMuted: !policy.audible,
      });
    });
  }

  /** One utterance heard by the bot; null when the session or the speaker does not exist any more. */
  async append(session: Session, heard: HeardUtterance): Promise<Message | null> {
    const { projectId, tenantId, id } = session;
    return this.needs.database.transaction(async (tx) => {
      if ((await this.needs.sessions.find(projectId, id, tx)) === null) return null;
      const participant = await this.speaker(tx, session, heard);
      if (participant === null) return null;
      return this.store(tx, tenantId, 'cortex:bot', {
        ...this.blank(projectId, id),
        senderName: participant.displayName,
        content: heard.status === 'recognised' ? heard.content : unheard[heard.status],
        timestamp: heard.spokenAt,
        participantId: participant.id,
        externalUserId: participant.externalUserId,
        origin: 'speech',
        startMs: heard.startMs,
        endMs: heard.endMs,
        language: heard.language,
        status: heard.status,
        ...asrColumns(heard.asr),
        shadowMuted: heard.shadowMuted,
        audioFile: heard.audioFile,
        audioExpiresAt: heard.audioFile === null ? null : new Date(this.needs.now().getTime() + debugAudioMs),
      });
    });
  }

  /** null: erased since they spoke. */
  private async speaker(
    tx: Transaction,
    { tenantId, projectId }: Session,
    { externalUserId, displayName, spokenAt }: HeardUtterance,
  ): Promise<Speaker | null> {
    const { participants, erasures } = this.needs;
    const known = await participants.known(tx, projectId, externalUserId);
    if (erasures.has(projectId, externalUserId, spokenAt)) return null;
    if (known !== null) return known;
    // A person in the room is made a participant; one who is unknown and has left was moved or erased.
    if (displayName === null) return participants.formerly(projectId, externalUserId, tx);
    return participants.ensure(tx, { tenantId, projectId, externalUserId, displayName });
  }

  /** A transcript line without speech: somebody joined or left, or (null) something concerns the whole room. */
  async note(
    tx: Transaction,
    { projectId, tenantId, id }: Pick<Session, 'projectId' | 'tenantId' | 'id'>,
    externalUserId: string | null,
    content: string,
    timestamp = this.needs.now(),
  ): Promise<void> {
    if ((await this.needs.sessions.find(projectId, id, tx)) === null) return;
    await this.store(tx, tenantId, 'cortex:bot', {
      ...this.blank(projectId, id),
      type: 'system',
      senderName: '[System]',
      content,
      timestamp,
      externalUserId,
    });
  }

  /** Returns the messages of a person, spoken and written, newest first. */
  lastOf = async (projectId: string, externalUserId: string, limit: number): Promise<Message[]> =>
    this.needs.view.shown(projectId, await this.needs.messages.wordsOf(projectId, externalUserId, limit));

  async history(projectId: string, externalUserId: string, limit: number): Promise<HistoryEntry[]> {
    const rows = await this.needs.messages.wordsOf(projectId, externalUserId, limit);
    return rows.map(({ id, sessionId, timestamp, origin, content, shadowMuted }) => ({
      at: timestamp.toISOString(),
      kind: 'voice',
      what: `${origin === 'text' ? 'wrote' : 'said'}${shadowMuted ? ' (heard by nobody)' : ''}: ${content}`,
      resourceId: `message:${id}`,
      partOf: `session:${sessionId}`,
    }));
  }

  /** The message's recording, while it may be heard, and the name to save it under. Throws debug_audio_not_found. */
  async debugAudio(
    projectId: string,
    sessionId: string,
    messageId: string,
  ): Promise<{ readonly file: string; readonly saveAs: string }> {
    const row = await this.needs.messages.find(projectId, sessionId, messageId);
    const isOver = row?.audioExpiresAt == null || row.audioExpiresAt <= this.needs.now();
    if (isOver || row.audioFile === null || !(await this.needs.view.keepsAudio(projectId)))
      throw new DomainError('debug_audio_not_found');
    const room = (await this.needs.rooms.roomOf(projectId, sessionId)) ?? 'session';
    return { file: row.audioFile, saveAs: savedName(room, row.timestamp.toISOString(), 'wav') };
  }

  /** Returns the recordings among the names that may be heard now, or are on legal hold. */
  async kept(names: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.needs.messages.recorded(names, this.needs.now());
    const projects = [...new Set(rows.map(({ projectId }) => projectId))];
    const keeping = new Set<string>();
    for (const projectId of projects) if (await this.needs.view.keepsAudio(projectId)) keeping.add(projectId);
    const audible = rows.flatMap(({ projectId, audioFile }) => (keeping.has(projectId) ? [audioFile ?? ''] : []));
    const held = await this.needs.messages.heldRecordings(names.filter((name) => !audible.includes(name)));
    return new Set([...audible, ...held]);
  }

  private blank(projectId: string, sessionId: string): NewMessageRow {
    return {
      projectId,
      sessionId,
      type: 'user',
      senderName: '',
      content: '',
      timestamp: this.needs.now(),
      participantId: null,
      externalUserId: null,
      origin: null,
      startMs: null,
      endMs: null,
      language: null,
      status: null,
      ...asrColumns(null),
      shadowMuted: false,
      audioFile: null,
      audioExpiresAt: null,
    };
  }

  private async store(
    tx: Transaction,
    tenantId: string,
    source: 'cortex:api' | 'cortex:bot',
    row: NewMessageRow,
  ): Promise<Message> {
    const message = toMessage(await this.needs.messages.insert(tx, row), this.needs.now());
    await this.needs.log.append(tx, {
      type: 'message.created',
      source,
      tenantId,
      projectId: row.projectId,
      resourceId: `message:${message.id}`,
      action: 'created',
      data: message,
      subjectUserId: row.externalUserId,
    });
    return message;
  }
}

function asrColumns(asr: AsrReport | null): Pick<MessageRow, 'asrEngine' | 'asrQuality' | 'asrReport'> {
  if (asr === null) return { asrEngine: null, asrQuality: null, asrReport: null };
  const { engine, quality, ...report } = asr;
  return { asrEngine: engine, asrQuality: quality, asrReport: JSON.stringify(report) };
}
