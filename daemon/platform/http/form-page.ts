/**
 * A page that the daemon writes, with one form, for people who have its address. It works without JavaScript; the page's script
 * shows times in the reader's zone, and a countdown.
 */
import express, { type Request, type Response, Router } from 'express';
import type { ErrorCode } from '../../../src/contract/error-catalogue.js';
import { DomainError } from '../../../src/contract/errors.js';
import { statementMax } from '../../../src/contract/moderation/review-decision.js';
import { escapedAttribute } from '../../../src/text/markup.js';
import { acceptedLanguages, chosenLanguage } from '../../../src/text/statements/languages.js';
import type { Platform } from '../platform.js';
import { allowOnly } from './methods.js';
import { builtPage, contentPolicy } from './pages.js';

export interface WrittenPage {
  readonly status: number;
  readonly language: string;
  readonly title: string;
  /** HTML of the main part. */
  readonly content: string;
}

/** What the reader asks for. */
export interface PageWish {
  readonly language: string | undefined;
  /** Languages of the browser, the preferred one first. */
  readonly others: readonly string[];
}

interface FormPage {
  /** With the parameter `code`. */
  readonly path: string;
  readonly platform: Pick<Platform, 'limits' | 'basePath'>;
  /** @param refused what was sent and refused; null: nothing was */
  show(code: string, wish: PageWish, refused: RefusedStatement | null): Promise<WrittenPage>;
  /** Throws DomainError. */
  send(code: string, statement: string, wish: PageWish): Promise<unknown>;
}

/** What somebody wrote into the form, with the reason why it was not taken. */
export interface RefusedStatement {
  readonly error: DomainError;
  readonly statement: string;
}

/** The page of an address that leads nowhere, in the language of the reader. Throws any other error again. */
export function withoutPage(
  error: unknown,
  code: ErrorCode,
  { language: wanted, others }: PageWish,
  sentence: (language: string) => string,
): WrittenPage {
  if (!(error instanceof DomainError) || error.code !== code) throw error;
  const language = chosenLanguage(wanted, ...others);
  const content = `<p id="told" role="alert">${escapedAttribute(sentence(language))}</p>`;
  return { status: error.status, language, title: 'Earshot', content };
}

/** A statement of 4,000 characters of four bytes, each written as three. */
const formBytesMax = 64 * 1024;
const readForm = express.urlencoded({ extended: false, limit: formBytesMax, parameterLimit: 4 });
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const wishOf = (request: Request): PageWish => ({
  language: textOf(request.query.language)?.slice(0, 20),
  others: acceptedLanguages(request.get('accept-language')),
});

export function formPageRouter({ path, platform: { limits, basePath }, show, send }: FormPage): Router {
  const template = builtPage('standing', basePath);
  const answer = (response: Response, { status, language, title, content }: WrittenPage): void => {
    const parts: Readonly<Record<string, string>> = { TITLE: title, CONTENT: content };
    response
      .status(status)
      .set({ 'Content-Security-Policy': contentPolicy({ form: true }), 'X-Robots-Tag': 'noindex' })
      .type('html')
      .send(
        template()
          .replace('<html lang="en">', `<html lang="${language}">`)
          .replaceAll(/__(TITLE|CONTENT)__/g, (_, name: string) => parts[name] ?? ''),
      );
  };
  const taken = async (code: string, statement: string, wish: PageWish): Promise<RefusedStatement | null> => {
    try {
      if (statement === '' || statement.length > statementMax) throw new DomainError('validation_failed');
      await send(code, statement, wish);
      return null;
    } catch (error) {
      if (error instanceof DomainError) return { error, statement };
      throw error;
    }
  };
  const codeOf = (request: Request): string => String(request.params.code ?? '');
  const router = Router();
  router.get(path, async (request, response) => {
    await limits.count(null, request.ip ?? '', response);
    answer(response, await show(codeOf(request), wishOf(request), null));
  });
  router.post(path, async (request, response, next) => {
    await limits.count(null, request.ip ?? '', response);
    readForm(request, response, (error?: unknown) => {
      if (error !== undefined && error !== null) return next(error);
      const statement = textOf(Object(request.body).statement)?.trim() ?? '';
      const answered = async () => {
        const refused = await taken(codeOf(request), statement, wishOf(request));
        if (refused !== null) return answer(response, await show(codeOf(request), wishOf(request), refused));
        const { language } = wishOf(request);
        const query = language === undefined ? '' : `?language=${encodeURIComponent(language)}`;
        // Whoever loads the page again sends nothing again.
        response.redirect(303, basePath + request.path + query);
      };
      answered().catch(next);
    });
  });
  router.all(path, allowOnly(['GET', 'HEAD', 'POST']));
  return router;
}
