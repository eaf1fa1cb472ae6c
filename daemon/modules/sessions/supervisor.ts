/**
 * Makes the running bots match the desired ones: at start, whenever a session changes, and every few seconds. What is
 * desired is stored in rows, so a restart of the daemon sends every bot back into its room.
 */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { usualBotId } from '../../../src/contract/rooms/reserved-ids.js';
import { isPerson } from '../../../src/contract/rooms/room-events.js';
import type { Session } from '../../../src/contract/sessions/sessions.js';
import type { Database } from '../../platform/database/database.js';
import { type LogFollower, noPayload } from '../../platform/events/follower.js';
import type { FairShare } from '../../platform/limits/fair-share.js';
import { FairTurns } from '../../platform/limits/fair-turns.js';
import type { Logger } from '../../platform/observability/logger.js';
import { DueWork, whileThere } from '../../platform/scheduler/due-work.js';
import type { Clock } from '../../platform/time/clock.js';
import { every } from '../../platform/time/ticks.js';
import { SessionBot, type SpokenSoFar } from './bot/bot.js';
import { EvidenceBuffer, type HeldSound } from './bot/evidence-buffer.js';
import { FrameOpener } from './bot/frame-opener.js';
import type { PacketSource } from './bot/speaker-packet.js';
import { noCounters, refusalCause } from './bot/status.js';
import { BotReports } from './bot-reports.js';
import type { BotSettings, RoomKeyLookup, VoiceSettings } from './bot-settings.js';
import type { SessionDirectory } from './directory.js';
import type { HeardRoom, HeardRooms, PersonInRoom, RoomChange } from './heard-rooms.js';
import { HeardUtterances, type KeptRecordings, type Transcripts } from './heard-utterances.js';
import type { SpeechLoader } from './load-speech.js';
import type { PartialMessages } from './partial-messages.js';
import { RecogniserLookup } from './recogniser-lookup.js';
import type { RecognitionHints } from './recognisers/transcriber.js';
import { comeBackMs, joining, RoomTakeover, type VoiceRole } from './room-takeover.js';
import type { BotStatus, SessionService } from './service.js';
import type { TranscriptService } from './transcripts.js';

/** A bot whose recogniser and key are still being made ready. Its tap holds what is said meanwhile. */
interface LaunchingBot {
  readonly session: Session;
  readonly opener: FrameOpener;
  readonly tap: PacketSource;
  /** Resolves when it runs or has failed; never rejects. */
  readonly done: Promise<void>;
}

interface RunningBot {
  readonly session: Session;
  readonly bot: SessionBot;
  readonly opener: FrameOpener;
  readonly tap: PacketSource;
  readonly evidence: EvidenceBuffer;
  emptySinceMs: number | null;
}

const everyMs = 2_000;
/** A person who joins waits no longer than this for the bot of the room. */
const tapWaitMs = 5_000;

/** What a project says of its bots. */
interface BotProject {
  readonly settings: BotSettings | null;
  readonly evidenceSeconds: number;
}

interface BotSupervisorNeeds {
  readonly sessions: Pick<SessionService, 'wanted' | 'reportBot' | 'endIdle' | 'resumeIdled'>;
  readonly database: Pick<Database, 'transaction' | 'version'>;
  readonly directory: Pick<SessionDirectory, 'activeIn'>;
  readonly transcripts: Transcripts & Pick<TranscriptService, 'note'>;
  readonly settings: VoiceSettings;
  readonly rooms: HeardRooms;
  readonly role: VoiceRole;
  readonly keys: RoomKeyLookup;
  readonly evidence: FairShare;
  /** Returns how many seconds of sound the project holds in memory for reports. */
  readonly evidenceSeconds: (projectId: string) => Promise<number>;
  readonly recordings: KeptRecordings;
  readonly partials: Pick<PartialMessages, 'isWanted' | 'publish'>;
  /** Returns those who are participants. */
  readonly people: {
    byExternalIds(projectId: string, ids: readonly string[]): Promise<readonly { readonly language: string | null }[]>;
  };
  readonly speech: Pick<SpeechLoader, 'load'>;
  readonly log: Logger;
  readonly now: Clock;
}

export class BotSupervisor {
  private readonly running = new Map<string, RunningBot>();
  private readonly launching = new Map<string, LaunchingBot>();
  /** Sessions whose bot cannot run, with the reason that was reported. */
  private readonly refused = new Map<string, string>();
  private readonly takeover: RoomTakeover;
  private readonly recogniser: RecogniserLookup;
  private readonly heard: HeardUtterances;
  private endPolls: (() => void) | null = null;
  private readonly started = new AbortController();
  private unsubscribe: (() => void) | null = null;
  /** Bots that finish their last utterances, by session: its next bot waits for that. */
  private readonly ending = new Map<string, Promise<void>>();
  private readonly reports: BotReports;
  private readonly attending = new FairTurns('session_reports');
  private work: Promise<void> = Promise.resolve();
  private queued = false;
  private readonly due: DueWork;

  constructor(private readonly needs: BotSupervisorNeeds) {
    const { transcripts, settings, recordings, sessions, database, now, log } = needs;
    this.due = new DueWork(
      database,
      now,
      whileThere(async () => (await sessions.wanted()).length > 0),
    );
    this.takeover = new RoomTakeover(needs);
    this.reports = new BotReports(needs);
    this.heard = new HeardUtterances(transcripts, settings, recordings, log);
    this.recogniser = new RecogniserLookup(needs.speech, (queue) => {
      for (const { bot } of this.running.values()) bot.recogniseWith(queue);
    });
  }

  /** Resolves once no session shows a state from before this start; from then on a changed session makes it compare. */
  async start(follower: Pick<LogFollower, 'onEvents'>): Promise<void> {
    const { role } = this.needs;
    role.onChange((isHeld) => (isHeld ? this.takeover.begin().then(() => this.wake()) : this.letGo()));
    if (role.isHeld) await this.takeover.begin();
    const ends = [
      this.needs.rooms.onEvent((event) => this.follow(event)),
      follower.onEvents((events) => {
        if (events.some(({ event }) => event.type.startsWith('session.'))) this.wake();
      }, noPayload),
    ];
    this.unsubscribe = () => {
      for (const end of ends) end();
    };
    this.endPolls = every(everyMs, () => void this.poll());
    this.wake();
    this.started.abort();
  }

  /** Nothing is looked for while no bot runs and none is wanted. */
  private async poll(): Promise<void> {
    const isQuiet = this.running.size + this.launching.size + this.refused.size + this.ending.size === 0;
    if (!isQuiet || (await this.due.mayBeDue())) this.wake();
  }

  /** Every bot finishes its current utterances. */
  async stop(): Promise<void> {
    this.endPolls?.();
    this.endPolls = null;
    this.unsubscribe?.();
    await this.work;
    await Promise.all([...this.launching.values()].map((one) => this.giveUp(one)));
    await Promise.all([...[...this.running.values()].map(({ bot }) => bot.stop()), ...this.ending.values()]);
    await this.reports.settled();
  }

  /** The rooms are another daemon's: its bots report from now on, and these only finish what was said. */
  private letGo(): void {
    const all = [...this.running.values()];
    this.running.clear();
    for (const one of this.launching.values()) void this.giveUp(one);
    this.refused.clear();
    for (const { bot } of all) void bot.stop(); // never rejects
  }

  /** Something has changed; comparing again does no harm. */
  wake(): void {
    if (this.queued || this.endPolls === null) return;
    this.queued = true;
    this.work = this.work.then(() => {
      this.queued = false;
      return this.compare().catch((error: unknown) => {
        this.due.again();
        this.needs.log.error({ err: error }, 'bots could not be compared with their sessions');
      });
    });
  }

  /** How many bots are in each state; one that cannot run counts as failed. */
  states(): Partial<Record<BotStatus['state'], number>> {
    const counts: Partial<Record<BotStatus['state'], number>> = { failed: this.refused.size };
    for (const { bot } of this.running.values()) {
      const { state } = bot.status();
      counts[state] = (counts[state] ?? 0) + 1;
    }
    return counts;
  }

  /** What operators are warned of; null: every bot stores what it hears. */
  get problem(): string | null {
    const losing = [...this.running.values()].filter(({ bot }) => bot.status().cause === 'lines_not_stored').length;
    return losing === 0
      ? null
      : `what is said in ${losing === 1 ? 'one session' : `${losing} sessions`} could not be stored; the daemon's log says why`;
  }

  /** Utterances that are not recognised yet. */
  get recognising(): number {
    return this.recogniser.waiting;
  }

  /**
   * To be called before a person enters: then the bot of the room has its first frame, and can decrypt it, whatever key they
   * bring. A bot that is still to be launched gets its tap first.
   *
   * @param resumes true for people, with whom a session begins again that ended because nobody was there
   */
  async expect(room: HeardRoom, resumes: boolean): Promise<void> {
    if (this.openersIn(room).length === 0) await this.tapWanted(room, resumes);
    for (const opener of this.openersIn(room)) await opener.refresh();
  }

  private openersIn(room: HeardRoom): FrameOpener[] {
    return [...this.running.values(), ...this.launching.values()]
      .filter(({ session }) => isIn(room, session))
      .map(({ opener }) => opener);
  }

  /** Resolves when the bot of the room's session has its tap, or is not to have one; at the latest after a few seconds. */
  private async tapWanted({ projectId, roomId }: HeardRoom, resumes: boolean): Promise<void> {
    const { directory, sessions } = this.needs;
    const active = await directory.activeIn(projectId, roomId);
    // One that may not begin now keeps nobody out; their presence tries again, and reports why.
    const idled = active === null && resumes ? sessions.resumeIdled(projectId, roomId).catch(() => null) : null;
    const session = active ?? (await idled);
    if (session === null || this.refused.has(session.id) || !this.needs.role.isHeld) return;
    const hasTap = async (): Promise<void> => {
      if (!this.started.signal.aborted) await once(this.started.signal, 'abort');
      this.wake();
      await this.work;
      await this.ending.get(session.id); // the bot before it finishes first
      if (!this.launching.has(session.id)) await this.work;
    };
    await Promise.race([hasTap(), sleep(tapWaitMs, undefined, { ref: false })]);
  }

  /**
   * A recogniser was installed: where there was none, it is looked for again, and listening bots use it at once.
   * Resolves to the active recogniser; null where there is none, or none was needed yet.
   */
  async lookForSpeech(): Promise<string | null> {
    const looked = this.work.then(async () => {
      await this.recogniser.again();
    });
    this.work = looked.catch((error: unknown) =>
      this.needs.log.error({ err: error }, 'the recogniser could not be started'),
    );
    await looked;
    return this.recogniser.engine;
  }

  /** Returns the last seconds of sound of everybody in a room, as far as its bot holds them. */
  heldSound(room: HeardRoom): HeldSound[] {
    return this.runningIn(room).flatMap(({ evidence }) => evidence.held(this.needs.now()));
  }

  private async compare(): Promise<void> {
    if (!this.needs.role.isHeld) return;
    const wanted = new Map((await this.needs.sessions.wanted()).map((session) => [session.id, session]));
    for (const id of this.refused.keys()) if (!wanted.has(id)) this.refused.delete(id);
    // The session already has a cause, and keeps it.
    for (const one of this.running.values()) if (!wanted.has(one.session.id)) this.end(one, 'stopped_by_user');
    for (const one of this.launching.values()) if (!wanted.has(one.session.id)) void this.giveUp(one);
    const projects = new Map<string, Promise<BotProject>>();
    const lookAfter = async (session: Session): Promise<void> => {
      const { projectId } = session;
      const open = projects.get(projectId) ?? this.openProject(projectId);
      projects.set(projectId, open);
      await this.carryOut(session, open).catch((error: unknown) =>
        this.needs.log.error({ err: error, sessionId: session.id }, 'the bot of a session could not be checked'),
      );
    };
    await Promise.all(
      [...wanted.values()].map((session) => this.attending.run(session.tenantId, () => lookAfter(session))),
    );
  }

  private async openProject(projectId: string): Promise<BotProject> {
    const [settings, evidenceSeconds] = await Promise.all([
      this.needs.settings.open(projectId),
      this.needs.evidenceSeconds(projectId),
    ]);
    return { settings, evidenceSeconds };
  }

  /** A bot listens as long as the settings of the project allow it. */
  private async carryOut(session: Session, open: Promise<BotProject>): Promise<void> {
    const { settings, evidenceSeconds } = await open;
    if (this.launching.has(session.id) || this.ending.has(session.id)) return; // its end makes us compare again
    if (!this.needs.role.isHeld) return; // lost meanwhile
    const one = this.running.get(session.id);
    const hasFailed = one?.bot.status().state === 'failed';
    if (hasFailed) return this.end(one, 'room_unreachable', 'failed'); // another is launched when it has ended
    const cause = refusalCause(settings);
    if (cause === null && settings !== null)
      return one === undefined ? this.launch(session, settings, evidenceSeconds) : this.attend(one, evidenceSeconds);
    const isKnown = this.refused.get(session.id) === cause;
    if (cause !== null) this.refused.set(session.id, cause);
    if (one !== undefined) this.end(one, cause, 'failed');
    else if (cause !== null && !isKnown)
      await this.needs.sessions.reportBot(session.projectId, session.id, { state: 'failed', cause }, noCounters);
  }

  /** Nobody else waits for the last utterances of this bot. */
  private end(one: RunningBot, cause: BotStatus['cause'], last: 'stopped' | 'failed' = 'stopped'): void {
    const { session, bot } = one;
    this.running.delete(session.id);
    const ended = bot
      .stop(cause, last)
      .then(() => this.reports.store(session, bot))
      .catch((error: unknown) =>
        this.needs.log.error({ err: error, sessionId: session.id }, 'a bot could not be ended'),
      )
      .finally(() => {
        this.ending.delete(session.id);
        this.wake();
      });
    this.ending.set(session.id, ended);
  }

  /** The tap comes first: what is said while recogniser and key are made ready is held there. */
  private launch(session: Session, settings: BotSettings, evidenceSeconds: number): void {
    const { id, tenantId, projectId, externalRoomId: roomId } = session;
    this.refused.delete(id);
    const externalUserId = settings.botUserId ?? usualBotId;
    const tap = this.needs.rooms.tap(
      { tenantId, projectId, roomId },
      { externalUserId, name: externalUserId, userData: settings.botUserData ?? {} },
    );
    const opener = new FrameOpener(() => this.needs.keys.inForce(projectId, roomId));
    const origin = this.needs.now();
    const done = this.startBot({ session, opener, tap }, origin, evidenceSeconds)
      .catch((error: unknown) => {
        tap.close();
        this.needs.log.error({ err: error, sessionId: id }, 'the bot of a session could not be launched');
        this.due.again();
      })
      .finally(() => {
        if (this.launching.get(id)?.tap === tap) this.launching.delete(id);
      });
    this.launching.set(id, { session, opener, tap, done });
  }

  /** Ends a launch under way; what was said meanwhile is nobody's. */
  private giveUp({ session, tap, done }: LaunchingBot): Promise<void> {
    if (this.launching.get(session.id)?.tap === tap) this.launching.delete(session.id);
    tap.close();
    return done;
  }

  private async startBot(
    { session, opener, tap }: Omit<LaunchingBot, 'done'>,
    origin: Date,
    evidenceSeconds: number,
  ): Promise<void> {
    const { tenantId, projectId, externalRoomId: roomId } = session;
    await this.needs.sessions.reportBot(projectId, session.id, joining, noCounters);
    await opener.refresh();
    const speech = await this.recogniser.get(); // last: one that is found from now on reaches a running bot
    if (this.launching.get(session.id)?.tap !== tap) return;
    const evidence = new EvidenceBuffer(this.needs.evidence, tenantId);
    const bot: SessionBot = new SessionBot({
      tenantId,
      sessionId: session.id,
      tap,
      sink: { utterance: (transcript) => this.heard.store(session, transcript, this.peopleIn(session)) },
      readAlong: this.readAlong(session),
      queue: speech.queue,
      newDetector: speech.newDetector,
      evidence,
      hints: (speaker) => this.hintsOf(session, speaker),
      cipher: () => opener.cipher,
      origin,
      now: this.needs.now,
      log: this.needs.log,
      onStatus: () => void this.reports.store(session, bot),
    });
    const one = { session, bot, opener, tap, evidence, emptySinceMs: this.takeover.emptySinceMs(session.id) };
    this.running.set(session.id, one);
    this.launching.delete(session.id);
    holdEvidence(one, evidenceSeconds);
    bot.start();
    if (this.needs.rooms.problemOf(projectId) !== null) bot.roomLost();
    for (const { externalUserId: id } of this.peopleIn(session)) bot.joined(id);
    this.needs.log.info({ sessionId: session.id, roomId }, 'bot listens');
  }

  /** Text of people who are still speaking, for streams that ask for it. */
  private readAlong(session: Session) {
    const { id: sessionId, tenantId, projectId, externalRoomId: roomId } = session;
    const { partials } = this.needs;
    return {
      isWanted: () => partials.isWanted({ tenantId, projectId, roomId }),
      show: ({ externalUserId, content, startMs, spokenAt, shadowMuted }: SpokenSoFar) => {
        const person = this.peopleIn(session).find((one) => one.externalUserId === externalUserId);
        const senderName = person?.name ?? externalUserId;
        const said = { content, timestamp: spokenAt.toISOString(), startMs, shadowMuted };
        partials.publish(tenantId, { projectId, sessionId, roomId, externalUserId, senderName, ...said });
      },
    };
  }

  /** A speaker's own language counts for more than the session's, and that for more than the project's. */
  private async hintsOf(
    { projectId, language: ofSession }: Session,
    externalUserId: string,
  ): Promise<RecognitionHints> {
    const [settings, [person]] = await Promise.all([
      this.needs.settings.open(projectId),
      this.needs.people.byExternalIds(projectId, [externalUserId]),
    ]);
    const language = person?.language ?? ofSession ?? settings?.speechLanguage ?? undefined;
    return { language, vocabulary: settings?.speechVocabulary };
  }

  /** Stores the bot's counters; ends a session whose room was empty for its idle timeout. */
  private async attend(one: RunningBot, evidenceSeconds: number): Promise<void> {
    const { session, bot } = one;
    const { projectId, idleTimeout } = session;
    const nowMs = this.needs.now().getTime();
    holdEvidence(one, evidenceSeconds);
    const isEmpty = this.peopleIn(session).length === 0;
    // A clock that was set back begins the idle time anew.
    one.emptySinceMs = isEmpty ? Math.min(one.emptySinceMs ?? nowMs, nowMs + comeBackMs) : null;
    await this.reports.store(session, bot);
    const isIdle = one.emptySinceMs !== null && idleTimeout > 0 && nowMs - one.emptySinceMs >= idleTimeout * 1_000;
    if (isIdle && this.needs.role.isHeld) await this.needs.sessions.endIdle(projectId, session.id);
  }

  private follow(event: RoomChange): void {
    if (event.type === 'engine.lost' || event.type === 'engine.restarted')
      for (const { session, bot } of this.running.values()) {
        if (!event.concerns(session.projectId)) continue;
        if (event.type === 'engine.lost') bot.roomLost();
        else bot.roomBack();
      }
    if ((event.type !== 'peer.joined' && event.type !== 'peer.left') || !isPerson(event.peer)) return;
    const { room, peer } = event;
    for (const { bot } of this.runningIn(room)) {
      if (event.type === 'peer.joined') bot.joined(peer.externalUserId);
      else bot.left(peer.externalUserId, event.reason === 'restarted' ? 'restarted' : null);
    }
  }

  private runningIn(room: HeardRoom): RunningBot[] {
    return [...this.running.values()].filter(({ session }) => isIn(room, session));
  }

  /** Returns the people in the session's room, bots and observers excluded. */
  private peopleIn({ projectId, externalRoomId: roomId }: Session): PersonInRoom[] {
    return (this.needs.rooms.room({ projectId, roomId })?.peers ?? []).filter(isPerson);
  }
}

const isIn = ({ projectId, roomId }: HeardRoom, session: Session): boolean =>
  session.projectId === projectId && session.externalRoomId === roomId;

/** Everybody in the room is told before anything is held. */
function holdEvidence({ tap, evidence }: Pick<RunningBot, 'tap' | 'evidence'>, seconds: number): void {
  tap.keeps(seconds);
  evidence.keep(seconds);
}
