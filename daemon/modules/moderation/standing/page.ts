/**
 * The page of a person who was sanctioned, `/standing/{code}`: what, why, until when, and an appeal. It needs no account: the code is
 * the right to read it.
 */
import type { DomainError } from '../../../../src/contract/errors.js';
import type { StatementOfReasons } from '../../../../src/contract/moderation/statements.js';
import type { PersonNotice } from '../../../../src/contract/people/person-notices.js';
import { escapedAttribute } from '../../../../src/text/markup.js';
import { timeIn } from '../../../../src/text/statements/compose.js';
import { wordsIn } from '../../../../src/text/statements/languages.js';
import { misuseText } from '../../../../src/text/statements/misuse.js';
import { formOf, framed, paragraphs, withTimes } from '../../../../src/text/statements/page.js';
import {
  type PageWish,
  type RefusedStatement,
  type WrittenPage,
  withoutPage,
} from '../../../platform/http/form-page.js';
import type { Clock } from '../../../platform/time/clock.js';
import type { StandingService } from './service.js';

export class StandingPage {
  constructor(
    private readonly standing: Pick<StandingService, 'byCode' | 'noticesByCode' | 'appealByCode'>,
    private readonly now: Clock,
  ) {}

  send = (code: string, statement: string, wish: PageWish) => this.standing.appealByCode(code, statement, wish);

  show = async (code: string, wish: PageWish, refusal: RefusedStatement | null): Promise<WrittenPage> => {
    try {
      const found = await this.standing.byCode(code, wish);
      const told = refusal === null ? '' : refusedText(refusal.error, found.language);
      const main = mainOf(found, await this.standing.noticesByCode(code), refusal?.statement ?? '', this.now());
      const { language, title } = found;
      return {
        ...{ status: refusal?.error.status ?? 200, language, title: escapedAttribute(title) },
        content: framed({ ...found, told, main }),
      };
    } catch (error) {
      return withoutPage(error, 'standing_code_invalid', wish, (language) => wordsIn(language).page.incomplete);
    }
  };
}

function refusedText({ code, details = [] }: DomainError, language: string): string {
  const until = details.find(({ path }) => path === 'until')?.message ?? null;
  return code === 'appeals_suspended' ? misuseText(language, 'appeals', until) : wordsIn(language).page.refused;
}

function mainOf(found: StatementOfReasons, notices: readonly PersonNotice[], statement: string, now: Date): string {
  const { language, title, text, startAt, endAt, status, appeal, issuedAt } = found;
  const words = wordsIn(language).page;
  const isRunning = status === 'active' && endAt !== null && new Date(startAt) <= now;
  const times = [startAt, endAt, issuedAt, appeal.until, appeal.decidedAt];
  const told = notices.map(({ text: notice, createdAt }) => {
    const at = timeIn(language, createdAt);
    return `<p><time datetime="${createdAt}">${at}</time>: ${escapedAttribute(notice)}</p>`;
  });
  const messages =
    told.length === 0 ? [] : [`<section id="notices"><h2>${words.notices}</h2>${told.join('')}</section>`];
  const countdown = `<p id="countdown" data-end="${endAt}" hidden>${words.remaining}: <strong id="remaining" role="timer"></strong></p>`;
  return [
    ...messages,
    `<article id="statement"><h1>${escapedAttribute(title)}</h1>`,
    ...(isRunning ? [countdown] : []),
    paragraphs(withTimes(text, times, language)),
    '</article>',
    ...(appeal.state === 'possible'
      ? [formOf({ title: words.appeal, hint: words.appealHint, send: words.send, statement }, language)]
      : []),
    ...(appeal.state === 'waiting' ? [`<p id="sent" role="status">${words.sent}</p>`] : []),
  ].join('\n');
}
