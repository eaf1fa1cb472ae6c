/** The page of a room, `GET /rooms/{roomId}#token=…`: brings link, events, call and what is shown together. */
import { FrameSealer } from '../../src/browser/frame-sealer.js';
import { RoomCall } from '../../src/browser/room-call.js';
import { addressElsewhere } from '../../src/client/room/resource.js';
import type { RoomAccess } from '../../src/client/room/room-access.js';
import { RoomEvents } from '../../src/client/room/room-events.js';
import type { RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { fillPage, words } from '../words/words.js';
import { Levels } from './levels.js';
import { linkElsewhere, takeOpening } from './link.js';
import { ModerationPanel } from './moderation.js';
import { Page } from './page.js';
import { ReportPanel } from './report.js';
import { after, type RoomScreen } from './room-state.js';
import { unreachableNotice } from './unreachable.js';
import { encryptionProblem, type Farewell, microphoneProblem, refusedFarewell, removedFarewell } from './words.js';

const levelsEveryMs = 90;
const moveDelayMs = 1_000;
const ownLevel = 'microphone';

class RoomPage {
  private readonly page = new Page();
  private readonly moderation: ModerationPanel;
  private readonly reports: ReportPanel;
  private readonly speakers: HTMLAudioElement[] = [];
  private levels: Levels | null = null;
  private view: RoomScreen | null = null;
  private call: RoomCall | null = null;
  private microphone: MediaStream | null = null;
  /** Closed once this page has nothing to do with the room any more. */
  private readonly events: RoomEvents;

  constructor(
    private readonly access: RoomAccess,
    private readonly hasMoved: boolean,
  ) {
    this.moderation = new ModerationPanel(access);
    this.reports = new ReportPanel(access);
    this.events = new RoomEvents(access, {
      partials: true,
      onLost: () => this.page.stage(this.call === null ? 'opening' : 'rejoining'),
      onRefused: (refusal) => this.end(refusedFarewell(refusal, words.doesNotOpen, new Date())),
      onElsewhere: (refusal) => this.movesOn(refusal),
    });
  }

  start(): void {
    const { page } = this;
    page.join.addEventListener('click', () => this.join(true));
    page.listen.addEventListener('click', () => this.join(false));
    page.joinHere.addEventListener('click', () => this.join(true));
    page.leave.addEventListener('click', () => this.leave());
    page.microphone.addEventListener('click', () => this.toggleMicrophone());
    page.volume.addEventListener('input', () => this.setVolume());
    page.dismissWarning.addEventListener('click', () => this.change((view) => ({ ...view, warning: null })));
    page.dismissNotice.addEventListener('click', () => this.change((view) => ({ ...view, notice: null })));
    page.dismissAnnouncement.addEventListener('click', () => this.change((view) => ({ ...view, announcement: null })));
    addEventListener('pagehide', () => void this.call?.leave());
    addEventListener('hashchange', () => location.reload()); // another link to this room
    setInterval(() => this.drawLevels(), levelsEveryMs);
    if (this.hasMoved) page.hint(words.movedHere);
    this.events.subscribe((event) => this.onEvent(event));
    void this.events.open();
  }

  private onEvent(event: RoomStreamEvent): void {
    this.view = after(this.view, event);
    if (this.view !== null) this.page.show(this.view, this.reports, this.moderation);
    if (event.type === 'room.state') this.found();
    else if (event.type === 'room.closed' && !event.rejoin) this.end(words.closedNow);
    else if (event.type === 'room.removed') this.removed(event);
  }

  /** The stream is there (again); the call comes back by itself where its sound was lost meanwhile. */
  private found(): void {
    if (this.call === null) this.page.stage('lobby');
    else this.page.stage(this.call.isJoined ? 'joined' : 'rejoining');
  }

  private removed(event: Extract<RoomStreamEvent, { type: 'room.removed' }>): void {
    const { resourceId, reason } = event;
    const farewell = removedFarewell(event, new Date());
    if (resourceId === null) this.end(farewell);
    else if (reason !== 'lost' && this.call?.holds(resourceId)) {
      this.leave();
      this.page.showOut({ ...farewell, title: words.elsewhere }, true);
    }
  }

  private async join(speaking: boolean): Promise<void> {
    const { view, page, access } = this;
    if (view === null || this.call !== null) return;
    const { encryption } = access;
    const problem = encryptionProblem(view, { hasKey: encryption !== null, isPossible: FrameSealer.isPossible });
    if (problem !== null) return page.hint(problem);
    page.stage('joining');
    page.hint(null);
    this.levels ??= new Levels();
    this.levels.wake();
    this.microphone = speaking && view.you.publish ? await this.openMicrophone() : null;
    const sealer =
      view.encryption === 'disabled' || encryption === null
        ? null
        : await FrameSealer.prepare(
            encryption,
            new Worker(new URL('../../src/browser/seal-worker.ts', import.meta.url), { type: 'module' }),
          );
    const call = new RoomCall(
      access,
      {
        microphone: this.microphone?.getAudioTracks()[0],
        onSound: view.you.subscribe ? (sound, line) => this.attachStream(line, sound) : undefined,
        onChange: (state) => {
          page.stage(state);
          if (state === 'joined') page.unreachable(null);
        },
        onUnreachable: (error) => page.unreachable(unreachableNotice(error, location.hostname, words.noSound)),
        sealer,
      },
      this.events,
    );
    this.call = call;
    page.showMicrophone(this.microphone === null ? null : true);
    call.ended.catch((error: Error) => this.lost(call, error));
    await call.join().catch(() => {}); // `ended` tells
  }

  /** Shows why the call has ended, unless a removal has been shown already. */
  private lost(call: RoomCall, error: Error): void {
    if (this.call !== call || this.movesOn(error)) return;
    this.leave();
    this.page.showOut(refusedFarewell(error, words.couldNotJoin, new Date()), true);
  }

  private async openMicrophone(): Promise<MediaStream | null> {
    if (!('mediaDevices' in navigator)) {
      this.page.hint(words.insecurePage);
      return null;
    }
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      this.levels?.watch(ownLevel, stream);
      return stream;
    } catch (error) {
      this.page.hint(microphoneProblem(error));
      return null;
    }
  }

  private attachStream(line: number, stream: MediaStream): void {
    const speaker = this.speakers[line] ?? new Audio();
    this.speakers[line] = speaker;
    speaker.srcObject = stream;
    this.setVolume();
    speaker.play().catch(() => {}); // joining is a click, which browsers want before sound
    this.levels?.watch(String(line), stream);
  }

  private toggleMicrophone(): void {
    const [track] = this.microphone?.getAudioTracks() ?? [];
    if (track === undefined) return;
    track.enabled = !track.enabled;
    this.page.showMicrophone(track.enabled);
  }

  private setVolume(): void {
    for (const speaker of this.speakers) speaker.volume = Number(this.page.volume.value) / 100;
  }

  private drawLevels(): void {
    const { levels, view } = this;
    if (levels === null || view === null || this.call === null) return;
    this.page.people.level((externalUserId) =>
      externalUserId === view.you.externalUserId
        ? levels.levelOf(ownLevel)
        : levels.levelOf(String(view.slots.indexOf(externalUserId))),
    );
  }

  private change(how: (view: RoomScreen) => RoomScreen): void {
    if (this.view === null) return;
    this.view = how(this.view);
    this.page.show(this.view, this.reports, this.moderation);
  }

  private leave(): void {
    void this.call?.leave();
    this.call = null;
    for (const track of this.microphone?.getTracks() ?? []) track.stop();
    this.microphone = null;
    this.levels?.forget(ownLevel);
    this.page.unreachable(null);
    this.page.stage('lobby');
  }

  /**
   * Opens the same link at the daemon that a refusal names, if it names one: the content policy of a page lets it reach its
   * own daemon alone. Waits, so that two daemons which do not agree yet do not send the page to and fro.
   */
  private movesOn(refusal: Error): boolean {
    const elsewhere = addressElsewhere(refusal);
    if (elsewhere === null) return false;
    this.events.close();
    this.leave();
    this.page.stage('moving');
    setTimeout(() => location.replace(linkElsewhere(this.access, elsewhere)), moveDelayMs);
    return true;
  }

  private end(farewell: Farewell): void {
    this.events.close();
    this.leave();
    this.page.showOut(farewell, false);
  }
}

fillPage();
const { access, hasMoved } = takeOpening();
if (access === null) new Page().showOut(words.incompleteLink, false);
else new RoomPage(access, hasMoved).start();
