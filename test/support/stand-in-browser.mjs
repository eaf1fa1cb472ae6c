/**
 * A browser without a screen: follows redirects, keeps cookies, and fills in the forms of a provider as STAND_IN_USER. With
 * STAND_IN_CANCEL=1 that person cancels. As the program of $BROWSER it gets the address as its argument.
 */
import { pathToFileURL } from 'node:url';

const stepsMax = 20;

/** Returns the last page: its address, status and text. It goes no further than an address that begins with `until`. */
export async function browse(address, { user, cancel = false, until }) {
  const cookies = new Map();
  let next = { url: address, init: {} };
  for (let step = 0; step < stepsMax; step += 1) {
    if (until !== undefined && next.url.startsWith(until)) return { url: next.url, status: 0, text: '' };
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { headers = {}, ...init } = next.init;
    const response = await fetch(next.url, { ...init, headers: { ...headers, cookie }, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const text = await response.text();
    const to = response.headers.get('location');
    if (to !== null) {
      next = { url: new URL(to, next.url).href, init: {} };
      continue;
    }
    const form = filledForm(text, next.url, { user, cancel });
    if (form === null || next.isLast === true) return { url: next.url, status: response.status, text };
    next = form;
  }
  throw new Error(`more than ${stepsMax} pages, the last one ${next.url}`);
}

/** The request that sends the page's first form; null: it has none. */
function filledForm(page, url, { user, cancel }) {
  const abort = /href="([^"]*\/abort)"/.exec(page);
  if (cancel && abort !== null) return { url: new URL(decoded(abort[1]), url).href, init: {} };
  const [whole, attributes, inside] = /<form([^>]*)>([\s\S]*?)<\/form>/i.exec(page) ?? [];
  if (whole === undefined) return null;
  const fields = new URLSearchParams();
  for (const [, text] of `${inside}`.matchAll(/<(?:input|textarea|button)([^>]*)>/gi)) {
    const { name, value = '', type = 'text' } = attributesOf(text);
    if (name === undefined || (type === 'submit' && fields.has(name))) continue;
    if (/^(login|username|email)$/.test(name)) fields.set(name, user);
    else if (name === 'password') fields.set(name, 'password');
    else fields.set(name, value);
  }
  const isLast = cancel && page.includes('name="abort"');
  if (isLast) fields.set('abort', 'yes');
  const { action = url, method = 'get' } = attributesOf(attributes);
  const to = new URL(action === '' ? url : action, url);
  if (method.toLowerCase() === 'post') return { url: to.href, init: { method: 'POST', body: fields }, isLast };
  to.search = fields.toString();
  return { url: to.href, init: {} };
}

const decoded = (text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
const attributesOf = (text) =>
  Object.fromEntries([...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, decoded(value)]));

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { STAND_IN_USER: user = '', STAND_IN_CANCEL: cancel } = process.env;
  await browse(process.argv[2], { user, cancel: cancel === '1' });
}
