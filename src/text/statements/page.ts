/** HTML of the pages that people read who were sanctioned, or who reported. Pure. */
import { statementMax } from '../../contract/moderation/review-decision.js';
import { escapedAttribute } from '../markup.js';
import { timeIn } from './compose.js';
import { languageNames, wordsIn } from './languages.js';

/** The text with its times, which the script of the page shows in the reader's zone. */
export function withTimes(text: string, times: readonly (string | null)[], language: string): string {
  const known = new Map(times.flatMap((time) => (time === null ? [] : [[timeIn(language, time), time] as const])));
  const written = [...known].reduce(
    (html, [shown, time]) => html.replaceAll(shown, `<time datetime="${time}">${shown}</time>`),
    escapedAttribute(text),
  );
  return written;
}

export const paragraphs = (html: string): string =>
  html
    .split('\n')
    .map((line) => `<p>${line}</p>`)
    .join('\n');

interface PageFrame {
  readonly language: string;
  readonly game: string;
  readonly operator: string | null;
  /** Said first, such as why a form was refused; empty: nothing. */
  readonly told: string;
  /** HTML between the names and the tools. */
  readonly main: string;
}

/** The page around its main part: who speaks, and the choice of a language. */
export function framed({ language, game, operator, told, main }: PageFrame): string {
  const words = wordsIn(language).page;
  const who = operator === null ? game : words.operator(game, operator);
  const options = Object.entries(languageNames).map(
    ([value, name]) => `<option value="${value}"${value === language ? ' selected' : ''}>${name}</option>`,
  );
  return `<p class="quiet" id="service">${escapedAttribute(who)}</p>
<p id="told" role="alert">${escapedAttribute(told)}</p>
${main}
<form id="tools" class="quiet" method="get">
<p><label for="language">${words.language}</label> <select id="language" name="language">${options.join('')}</select>
<button type="submit" id="choose">${words.show}</button> <button type="button" id="print" hidden>${words.print}</button></p>
</form>`;
}

interface AnswerForm {
  readonly title: string;
  readonly hint: string;
  readonly send: string;
  /** What was typed and refused. */
  readonly statement: string;
}

/** @param language that the page stays in once the form is sent */
export const formOf = ({ title, hint, send, statement }: AnswerForm, language: string): string =>
  `<form id="appeal" method="post" action="?language=${language}">
<h2>${escapedAttribute(title)}</h2>
<label for="words">${escapedAttribute(hint)}</label>
<textarea id="words" name="statement" rows="5" maxlength="${statementMax}" required>${escapedAttribute(statement)}</textarea>
<button type="submit">${escapedAttribute(send)}</button>
</form>`;
