/** The page's own elements; a missing one is our mistake and throws at once. */
export function byId<T extends Element>(id: string, kind: abstract new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} #${id}.`);
  return found;
}

export function within<T extends Element>(parent: Element, selector: string, kind: abstract new () => T): T {
  const found = parent.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`There is no ${kind.name} at ${selector}.`);
  return found;
}

interface Making {
  readonly className?: string;
  readonly text?: string;
  readonly children?: readonly (Element | null)[];
}

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  { className = '', text = '', children = [] }: Making = {},
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  element.className = className;
  element.textContent = text;
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Text of somebody's within a sentence, kept from turning the direction of what follows; in elements of its own it is `bdi`. */
export const isolated = (text: string): string => `\u2068${text}\u2069`;

/** A button whose name says whom it is about; the text beside that person is shorter. */
export function namedButton(text: string, name: string): HTMLButtonElement {
  const button = make('button', { text });
  button.type = 'button';
  button.setAttribute('aria-label', `${text} ${name}`);
  return button;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const svgNamespace = 'http://www.w3.org/2000/svg';

export function icon(name: string): SVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg');
  svg.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(svgNamespace, 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}
