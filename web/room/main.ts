/** The page of a room, `GET /rooms/{roomId}#token=…`: brings link, events, call and what is shown together. */
import type { RoomStreamEvent } from '../../src/contract/rooms/room-events.js';
import { Call } from './call.js';
import { followRoom } from './event-stream.js';
import { FrameSealer } from './frame-sealer.js';
import { Levels } from './levels.js';
import { type Invitation, takeInvitation } from './link.js';
import { Page } from './page.js';
import { after, type RoomView } from './room-state.js';
import { encryptionProblem, insecurePage, microphoneProblem, removedMessage } from './words.js';

const levelsEveryMs = 90;
const ownLevel = 'microphone';

class RoomPage {
  private readonly page = new Page();
  private readonly speakers: HTMLAudioElement[] = [];
  private levels: Levels | null = null;
  private view: RoomView | null = null;
  private call: Call | null = null;
  private microphone: MediaStream | null = null;
  /** Aborted once this page has nothing to do with the room any more. */
  private readonly gone = new AbortController();

  constructor(
    private readonly roomUrl: string,
    private readonly invitation: Invitation,
  ) {}

  start(): void {
    const { page } = this;
    page.join.addEventListener('click', () => this.join(true));
    page.listen.addEventListener('click', () => this.join(false));
    page.joinHere.addEventListener('click', () => this.join(true));
    page.leave.addEventListener('click', () => this.leave());
    page.microphone.addEventListener('click', () => this.toggleMicrophone());
    page.volume.addEventListener('input', () => this.setVolume());
    page.dismissWarning.addEventListener('click', () => this.change((view) => ({ ...view, warning: null })));
    addEventListener('pagehide', () => this.call?.leave());
    addEventListener('hashchange', () => location.reload()); // another link to this room
    setInterval(() => this.drawLevels(), levelsEveryMs);
    const { roomUrl, gone } = this;
    void followRoom(
      { roomUrl, token: this.invitation.token, signal: gone.signal },
      {
        event: (event) => this.take(event),
        lost: () => page.stage(this.call === null ? 'opening' : 'rejoining'),
        refused: ({ message }) => this.end('The room does not open', message),
      },
    );
  }

  private take(event: RoomStreamEvent): void {
    this.view = after(this.view, event);
    if (this.view !== null) this.page.show(this.view);
    if (event.type === 'room.state') this.found();
    else if (event.type === 'room.closed' && event.rejoin) this.call?.rejoin();
    else if (event.type === 'room.closed') this.end('The room was closed', 'A moderator has closed it.');
    else if (event.type === 'room.removed') this.removed(event);
  }

  /** The stream is there (again); the sound may have been lost meanwhile. */
  private found(): void {
    if (this.call === null) this.page.stage('lobby');
    else if (this.call.isConnected) this.page.stage('joined');
    else this.call.rejoin();
  }

  private removed(event: Extract<RoomStreamEvent, { type: 'room.removed' }>): void {
    const { resourceId, reason, message } = event;
    if (resourceId === null) this.end('You are out of the room', removedMessage(event, new Date()));
    else if (!this.call?.holds(resourceId)) return;
    else if (reason === 'lost') this.call.rejoin();
    else {
      this.leave();
      this.page.showOut('You are here in another window', message, true);
    }
  }

  private async join(speaking: boolean): Promise<void> {
    const { view, page, invitation } = this;
    if (view === null || this.call !== null) return;
    const problem = encryptionProblem(view, { hasKey: invitation.key !== null, isPossible: FrameSealer.isPossible });
    if (problem !== null) return page.hint(problem);
    page.stage('joining');
    page.hint(null);
    this.levels ??= new Levels();
    this.levels.wake();
    this.microphone = speaking && view.you.publish ? await this.openMicrophone() : null;
    const sealer =
      view.encryption === 'disabled' || invitation.key === null ? null : await FrameSealer.prepare(invitation.key);
    const { publish, subscribe } = view.you;
    const places = { roomUrl: this.roomUrl, token: invitation.token, publish, subscribe };
    this.call = new Call(places, this.microphone, sealer, {
      heard: (line, stream) => this.hear(line, stream),
      changed: (state) => page.stage(state),
      refused: ({ message }) => {
        this.leave();
        page.showOut('You could not join', message, true);
      },
    });
    page.showMicrophone(this.microphone === null ? null : true);
    await this.call.join();
  }

  private async openMicrophone(): Promise<MediaStream | null> {
    if (!('mediaDevices' in navigator)) {
      this.page.hint(insecurePage);
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

  private hear(line: number, stream: MediaStream): void {
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
        ? levels.of(ownLevel)
        : levels.of(String(view.slots.indexOf(externalUserId))),
    );
  }

  private change(how: (view: RoomView) => RoomView): void {
    if (this.view === null) return;
    this.view = how(this.view);
    this.page.show(this.view);
  }

  private leave(): void {
    this.call?.leave();
    this.call = null;
    for (const track of this.microphone?.getTracks() ?? []) track.stop();
    this.microphone = null;
    this.levels?.forget(ownLevel);
    this.page.stage('lobby');
  }

  private end(title: string, message: string): void {
    this.gone.abort();
    this.call?.drop();
    this.leave();
    this.page.showOut(title, message, false);
  }
}

const invitation = takeInvitation();
if (invitation === null)
  new Page().showOut('This link is not complete', 'It carries no token. Ask for a new link to the room.', false);
else new RoomPage(location.pathname.replace(/\/$/, ''), invitation).start();
