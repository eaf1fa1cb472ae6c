/**
 * What JavaScript adds to the pages of sanctioned people and of reporters, which the daemon writes: times in the reader's zone, a
 * countdown, a printer, and another language at once, without losing what was typed.
 */

const { lang } = document.documentElement;
const inZone = new Intl.DateTimeFormat(lang, {
  ...{ year: 'numeric', month: 'long', day: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
});
for (const time of document.querySelectorAll('time')) time.textContent = inZone.format(new Date(time.dateTime));

/** The time that is left, as `3 d 04:05:06`. */
function remaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const part = (of: number, size: number) => String(Math.floor(seconds / of) % size).padStart(2, '0');
  const days = Math.floor(seconds / 86_400);
  return `${days === 0 ? '' : `${days} d `}${part(3600, 24)}:${part(60, 60)}:${part(1, 60)}`;
}

const countdown = document.querySelector<HTMLElement>('#countdown');
const timer = document.querySelector<HTMLElement>('#remaining');
if (countdown !== null && timer !== null) {
  const end = Date.parse(countdown.dataset.end ?? '');
  const tick = () => {
    const ms = end - Date.now();
    timer.textContent = remaining(ms);
    if (ms > 0) return;
    clearInterval(ticking);
    location.reload();
  };
  const ticking = setInterval(tick, 1000);
  tick();
  countdown.hidden = false;
}

const print = document.querySelector<HTMLElement>('#print');
if (print !== null) {
  print.hidden = false;
  print.addEventListener('click', () => window.print());
}

/** What was typed is kept for this page in this tab, until the language is changed. */
const typedKey = `typed:${location.pathname}`;
const words = document.querySelector<HTMLTextAreaElement>('#words');
const language = document.querySelector<HTMLSelectElement>('#language');
if (words !== null && words.value === '') words.value = sessionStorage.getItem(typedKey) ?? '';
sessionStorage.removeItem(typedKey);
document.querySelector('#choose')?.setAttribute('hidden', '');
language?.addEventListener('change', () => {
  if (words !== null) sessionStorage.setItem(typedKey, words.value);
  language.form?.submit();
});
