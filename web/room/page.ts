/** Everything the page shows; it decides nothing. */
import { byId, make, within } from '../elements.js';
import type { PageWords } from '../words/en.js';
import { words } from '../words/words.js';
import type { ModerationPanel } from './moderation.js';
import { PeopleList } from './people-list.js';
import type { ReportPanel } from './report.js';
import type { RoomScreen } from './room-state.js';
import { Transcript } from './transcript.js';
import {
  announcedNotice,
  type Farewell,
  limitedNotice,
  notifiedNotice,
  silencedNotice,
  transcribedNotice,
  warningNotice,
} from './words.js';

export type RoomStage = keyof PageWords['stages'];

export class Page {
  readonly join = byId('join', HTMLButtonElement);
  readonly listen = byId('listen', HTMLButtonElement);
  readonly joinHere = byId('join-here', HTMLButtonElement);
  readonly microphone = byId('microphone', HTMLButtonElement);
  readonly volume = byId('volume', HTMLInputElement);
  readonly leave = byId('leave', HTMLButtonElement);
  readonly dismissWarning = byId('dismiss-warning', HTMLButtonElement);
  readonly dismissNotice = byId('dismiss-notice', HTMLButtonElement);
  readonly dismissAnnouncement = byId('dismiss-announcement', HTMLButtonElement);
  readonly people = new PeopleList(byId('people', HTMLUListElement));
  private readonly transcript = new Transcript(
    byId('transcript', HTMLOListElement),
    byId('speaking', HTMLOListElement),
  );

  stage(stage: RoomStage): void {
    const status = byId('status', HTMLElement);
    status.textContent = words.stages[stage];
    status.className = stage === 'joined' ? 'joined' : stage === 'rejoining' || stage === 'moving' ? 'trouble' : '';
    byId('room', HTMLElement).hidden = stage === 'opening' || stage === 'out';
    byId('out', HTMLElement).hidden = stage !== 'out';
    byId('lobby', HTMLElement).hidden = stage !== 'lobby' && stage !== 'joining';
    byId('call', HTMLElement).hidden = stage !== 'joined' && stage !== 'rejoining';
    for (const button of [this.join, this.listen]) button.disabled = stage === 'joining';
  }

  show(view: RoomScreen, reports: ReportPanel, moderation: Pick<ModerationPanel, 'controls'>): void {
    const { roomId, you, people, transcript, annotations, speaking } = view;
    document.title = `${roomId} · Earshot`;
    byId('room-name', HTMLElement).textContent = roomId;
    byId('who', HTMLElement).replaceChildren(...words.joinAs(make('bdi', { text: you.name })));
    byId('people-count', HTMLElement).textContent = String(people.length);
    byId('nobody', HTMLElement).hidden = people.length > 0;
    reports.show(view);
    this.people.show(view, (person) => [
      ...(you.observer ? [] : [reports.controls(person)]),
      ...(you.impose ? [moderation.controls(person)] : []),
    ]);
    this.transcript.show(transcript, annotations, speaking);
    const isTranscribed = people.some(({ bot }) => bot);
    const silence = byId('silence', HTMLElement);
    silence.hidden = transcript.length + speaking.length > 0;
    silence.textContent = words.nothingSaid(isTranscribed);
    notice('transcribed', transcribedNotice(view));
    notice('muted', silencedNotice(view, new Date()));
    leadTo('muted-standing', view.silenced?.standingUrl ?? null);
    notice('limited', limitedNotice(view, new Date()));
    leadTo('limited-standing', view.limited?.standingUrl ?? null);
    notice('warned', warningNotice(view));
    notice('announced', announcedNotice(view));
    notice('notified', notifiedNotice(view));
    this.join.hidden = !you.publish;
    this.listen.hidden = !you.subscribe;
  }

  hint(text: string | null): void {
    notice('hint', text);
  }

  unreachable(text: string | null): void {
    notice('unreachable', text);
  }

  /** `on` null: there is no microphone in this call. */
  showMicrophone(on: boolean | null): void {
    this.microphone.hidden = on === null;
    this.microphone.setAttribute('aria-pressed', String(on === true));
    within(this.microphone, 'use', SVGUseElement).setAttribute(
      'href',
      on ? '#icon-microphone' : '#icon-microphone-off',
    );
    within(this.microphone, 'span', HTMLElement).textContent = words.microphone(on === true);
  }

  /** The last word; `again` offers to join from here. */
  showOut({ title, message, standingUrl = null }: Farewell, again: boolean): void {
    for (const id of [
      'transcribed',
      'muted',
      'limited',
      'warned',
      'announced',
      'notified',
      'hint',
      'unreachable',
      'acted',
      'told',
    ])
      notice(id, null);
    byId('out-title', HTMLElement).textContent = title;
    byId('out-message', HTMLElement).textContent = message;
    leadTo('out-standing', standingUrl);
    this.joinHere.hidden = !again;
    this.stage('out');
  }
}

/** Shows the link to the page of the person, where there is one; one that is there stays as it is. */
function leadTo(id: string, url: string | null): void {
  const place = byId(id, HTMLElement);
  if ((place.querySelector('a')?.href ?? null) === url) return;
  place.replaceChildren();
  if (url === null) return;
  const link = make('a', { text: words.texts.standing });
  link.href = url;
  link.target = '_blank';
  link.rel = 'noreferrer';
  place.append(link);
}

/** Spoken by screen readers when it changes, so it is touched only then. */
function notice(id: string, text: string | null): void {
  const paragraph = byId(id, HTMLElement);
  paragraph.hidden = text === null;
  const line = within(paragraph, 'span', HTMLElement);
  if (text !== null && line.textContent !== text) line.textContent = text;
}
