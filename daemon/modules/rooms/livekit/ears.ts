/**
 * How bots listen to rooms of LiveKit: as participants, in a process beside the daemon that has the role `voice`. The
 * process starts with the first bot, and again when it has ended; a bot whose connection is lost comes again.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { z } from 'zod';
import type { Logger } from '../../../platform/observability/logger.js';
import { programFile } from '../../../platform/package.js';
import { type OnFault, WatchedProcess } from '../../../platform/processes/watched-process.js';
import { BufferedTap } from '../embedded/tap.js';
import type { BotAppearance, RoomAddress, SpeakerPacket } from '../media/engine.js';
import type { Hearing } from './hearing.js';
import type { LiveKitServer } from './server.js';

const againMs = 1_000;

const Packet = z.object({
  externalUserId: z.string(),
  name: z.string(),
  publicationId: z.string(),
  sequence: z.int(),
  timestamp: z.int(),
  stampMs: z.number(),
  payload: z.instanceof(Uint8Array),
});
const Answer = z.union([
  z.object({ tap: z.int(), packets: z.array(Packet), missed: z.int() }),
  z.object({ lost: z.int(), because: z.string().optional() }),
  z.object({ ready: z.literal(true) }),
]);

interface LiveKitEar {
  readonly tap: BufferedTap;
  /** Who is heard by nobody else, as known: of somebody new it is read first, and their packets wait. */
  audible: Map<string, boolean>;
  /** Answers one after the other. */
  work: Promise<void>;
}

interface EarNeeds {
  readonly server: LiveKitServer;
  readonly hearing: Hearing;
  readonly log: Logger;
  readonly onFault: OnFault;
}

export class LiveKitEars {
  private readonly ears = new Map<number, LiveKitEar>();
  private child: ChildProcess | null = null;
  private watched: WatchedProcess | null = null;
  private numbers = 0;
  private isStopped = false;

  constructor(private readonly needs: EarNeeds) {}

  tap({ projectId, roomId }: RoomAddress, appearance: BotAppearance): BufferedTap {
    const id = ++this.numbers;
    const room = { projectId, roomId };
    const tap = new BufferedTap(
      room,
      appearance,
      () => this.leave(id),
      () => this.showKept(tap),
    );
    this.ears.set(id, { tap, audible: new Map(), work: Promise.resolve() });
    void this.join(id);
    return tap;
  }

  /** Policies of the room have changed. */
  forget(projectId: string): void {
    for (const ear of this.ears.values()) if (ear.tap.room.projectId === projectId) ear.audible = new Map();
  }

  /** Ends all bots: another daemon has the role. */
  pause(): void {
    for (const { tap } of [...this.ears.values()]) tap.close();
  }

  stop(): void {
    this.isStopped = true;
    this.pause();
    this.watched?.kill(null);
  }

  private leave(id: number): void {
    this.ears.delete(id);
    this.child?.send({ leave: id }, () => {});
  }

  private async join(id: number): Promise<void> {
    const ear = this.ears.get(id);
    if (ear === undefined || this.isStopped) return;
    const { room, appearance } = ear.tap;
    try {
      const { server } = this.needs;
      const flags = { publish: false, moderate: false, observer: false, bot: true };
      const token = await server.tokenFor({ ...room, ...appearance, flags, canPublish: false, canSubscribe: true });
      this.running().send({ join: id, url: server.clientUrl, token }, () => {});
    } catch (error) {
      this.needs.log.error({ err: error, ...room }, 'a bot could not be sent into a room of LiveKit');
      this.comeAgain(id);
    }
  }

  private comeAgain(id: number): void {
    setTimeout(() => void this.join(id), againMs).unref();
  }

  private running(): ChildProcess {
    if (this.child !== null) return this.child;
    const child = fork(programFile('modules/rooms/livekit/ears-process'), {
      serialization: 'advanced',
      env: {},
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.child = child;
    this.watched = new WatchedProcess(child, this.needs.onFault);
    child.on('message', (message) => this.receive(message));
    child.once('exit', () => this.over());
    child.on('error', () => {
      if (child.pid === undefined) this.over(); // it could not be started, and has no exit
    });
    return child;
  }

  private over(): void {
    this.child = null;
    for (const id of this.ears.keys()) this.comeAgain(id);
  }

  private receive(message: unknown): void {
    const answer = Answer.parse(message);
    if ('ready' in answer) return;
    if ('lost' in answer) {
      const room = this.ears.get(answer.lost)?.tap.room;
      if (room !== undefined)
        this.needs.log.warn({ ...room, because: answer.because }, 'a bot lost its room of LiveKit');
      this.comeAgain(answer.lost);
      return;
    }
    const ear = this.ears.get(answer.tap);
    if (ear === undefined) return;
    ear.work = ear.work
      .then(() => this.hand(ear, answer.packets, answer.missed))
      .catch((error: unknown) => {
        ear.tap.push([], answer.packets.length); // who may be heard could not be read
        this.needs.log.warn({ err: error, ...ear.tap.room }, 'what a bot heard was dropped');
      });
  }

  private async hand({ tap, audible }: LiveKitEar, packets: readonly z.infer<typeof Packet>[], missed: number) {
    const unknown = new Set(packets.map(({ externalUserId }) => externalUserId).filter((id) => !audible.has(id)));
    if (unknown.size > 0) {
      const isAudible = await this.needs.hearing.audible(tap.room, [...unknown]);
      for (const id of unknown) audible.set(id, isAudible(id));
    }
    const heard = packets.map(
      ({ stampMs, ...packet }): SpeakerPacket => ({
        ...packet,
        audible: audible.get(packet.externalUserId) === true,
        arrivedAtMs: stampMs,
      }),
    );
    tap.push(heard, missed);
  }

  private showKept({ room, appearance, keptSeconds }: BufferedTap): void {
    this.needs.server
      .showKept(room, appearance.externalUserId, keptSeconds)
      .catch((error: unknown) => this.needs.log.warn({ err: error, ...room }, 'what a bot holds could not be shown'));
  }
}
