/**
 * The page of a person who was sanctioned, `GET /standing/{code}`: what, why, until when, and an appeal. It needs no account:
 * the code is the right to read it.
 */
import type { StatementOfReasons } from '../../src/contract/moderation/statements.js';
import type { PersonNotice } from '../../src/contract/people/person-notices.js';
import { chosenLanguage, languageNames, wordsIn } from '../../src/text/statements/languages.js';
import { byId, make, within } from '../elements.js';

const code = location.pathname.split('/').at(-1) ?? '';
const form = byId('appeal', HTMLFormElement);
const words = byId('words', HTMLTextAreaElement);
const languages = byId('language', HTMLSelectElement);
let ticking: ReturnType<typeof setInterval> | undefined;

/** What the daemon refuses, in its words. */
class StandingRefused extends Error {}

const say = (id: string, text: string): void => {
  byId(id, HTMLElement).textContent = text;
};
const browserLanguage = chosenLanguage(...navigator.languages);

async function call(path: string, init: RequestInit, language: string): Promise<StatementOfReasons> {
  const query = language === '' ? '' : `?language=${language}`;
  const response = await fetch(`/api/standing/${code}${path}${query}`, { cache: 'no-store', ...init }).catch(
    () => null,
  );
  const answer = await response?.json().catch(() => null);
  if (response?.ok === true) return answer;
  const texts = wordsIn(language === '' ? browserLanguage : language).page;
  if (response?.status === 404) throw new StandingRefused(texts.incomplete);
  throw new StandingRefused(answer?.message ?? texts.unreachable);
}

/** The time that is left, as `3 d 04:05:06`. */
function remaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const part = (of: number, size: number) => String(Math.floor(seconds / of) % size).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  return `${days === 0 ? '' : `${days} d `}${part(3600, 24)}:${part(60, 60)}:${part(1, 60)}`;
}

function countDown({ status, endAt, startAt }: StatementOfReasons): void {
  clearInterval(ticking);
  const isRunning = status === 'active' && endAt !== null && Date.parse(startAt) <= Date.now();
  byId('countdown', HTMLElement).hidden = !isRunning;
  if (!isRunning) return;
  const tick = () => {
    const ms = Date.parse(endAt) - Date.now();
    say('remaining', remaining(ms));
    if (ms > 0) return;
    clearInterval(ticking);
    load(languages.value);
  };
  tick();
  ticking = setInterval(tick, 1000);
}

function show(statement: StatementOfReasons): void {
  const { language, title, text, appeal } = statement;
  const texts = wordsIn(language).page;
  document.documentElement.lang = language;
  document.title = title;
  say('told', '');
  say('title', title);
  byId('paragraphs', HTMLElement).replaceChildren(...text.split('\n').map((line) => make('p', { text: line })));
  say('remaining-label', `${texts.remaining}:`);
  say('appeal-title', texts.appeal);
  say('appeal-hint', texts.appealHint);
  say('print', texts.print);
  say('notices-title', texts.notices);
  within(form, 'button', HTMLButtonElement).textContent = texts.send;
  within(document.body, 'label[for=language]', HTMLLabelElement).textContent = texts.language;
  languages.value = language;
  byId('statement', HTMLElement).hidden = false;
  byId('tools', HTMLElement).hidden = false;
  form.hidden = appeal.state !== 'possible';
  countDown(statement);
}

function showNotices(notices: readonly PersonNotice[]): void {
  byId('notice-texts', HTMLElement).replaceChildren(
    ...notices.map(({ text, createdAt }) => make('p', { text: `${new Date(createdAt).toLocaleString()}: ${text}` })),
  );
  byId('notices', HTMLElement).hidden = notices.length === 0;
}

const refuse = (error: unknown): void =>
  say('told', error instanceof StandingRefused ? error.message : wordsIn(browserLanguage).page.unreachable);

function load(language: string): void {
  call('', {}, language).then(show, refuse);
}

languages.append(
  ...Object.entries(languageNames).map(([value, name]) => Object.assign(make('option', { text: name }), { value })),
);
languages.addEventListener('change', () => load(languages.value));
byId('print', HTMLButtonElement).addEventListener('click', () => print());
form.addEventListener('submit', (event) => {
  event.preventDefault();
  const button = within(form, 'button', HTMLButtonElement);
  const language = languages.value;
  button.disabled = true;
  const body = JSON.stringify({ statement: words.value });
  call('/appeal', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }, language)
    .then((statement) => {
      show(statement);
      say('sent', wordsIn(language).page.sent);
    }, refuse)
    .finally(() => {
      button.disabled = false;
    });
});
load('');
fetch(`/api/standing/${code}/notices`, { cache: 'no-store' })
  .then((response): Promise<PersonNotice[]> => (response.ok ? response.json() : Promise.resolve([])))
  .then(showNotices, () => {});
