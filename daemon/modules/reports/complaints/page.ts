/** The page of a reporter, `/receipts/{code}`: receipt, outcome, and a complaint. It needs no account: the code is the right to read it. */
import type { ReportReceipt } from '../../../../src/contract/reports/reports.js';
import { wordsIn } from '../../../../src/text/statements/languages.js';
import { formOf, framed, paragraphs, withTimes } from '../../../../src/text/statements/page.js';
import { receiptTextsIn } from '../../../../src/text/statements/receipts.js';
import {
  type PageWish,
  type RefusedStatement,
  type WrittenPage,
  withoutPage,
} from '../../../platform/http/form-page.js';
import type { ComplaintService } from './service.js';

export class ReceiptPage {
  constructor(private readonly complaints: Pick<ComplaintService, 'byCode' | 'complainByCode'>) {}

  send = (code: string, statement: string) => this.complaints.complainByCode(code, statement);

  show = async (code: string, wish: PageWish, refusal: RefusedStatement | null): Promise<WrittenPage> => {
    try {
      const found = await this.complaints.byCode(code, wish);
      const { language } = found;
      return {
        ...{ status: refusal?.error.status ?? 200, language, title: receiptTextsIn(language).page.title },
        content: framed({
          ...found,
          told: refusal === null ? '' : wordsIn(language).page.refused,
          main: mainOf(found, refusal?.statement ?? ''),
        }),
      };
    } catch (error) {
      return withoutPage(error, 'receipt_code_invalid', wish, (language) => receiptTextsIn(language).page.incomplete);
    }
  };
}

function mainOf({ language, message, createdAt, decidedAt, complaint }: ReportReceipt, statement: string): string {
  const { page } = receiptTextsIn(language);
  const times = [createdAt, decidedAt, complaint?.until ?? null];
  const { title, complaint: heading, hint, send, sent } = page;
  return [
    `<article id="statement"><h1>${title}</h1>`,
    paragraphs(withTimes(message, times, language)),
    '</article>',
    ...(complaint?.state === 'possible' ? [formOf({ title: heading, hint, send, statement }, language)] : []),
    ...(complaint?.state === 'waiting' ? [`<p id="sent" role="status">${sent}</p>`] : []),
  ].join('\n');
}
