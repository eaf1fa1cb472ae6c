/**
 * Global scope of plugins besides the language: `fetch` and `console`. It runs before the plugin and keeps the
 * functions that it uses, so that the plugin cannot replace them.
 */
export const prelude = `(send, print) => {
  const { stringify, parse } = JSON;
  const { entries, fromEntries } = Object;
  const { apply } = Reflect;
  const { replaceAll } = String.prototype;
  // Text leaves the engine as a C string, which would end at the first NUL.
  const withoutNul = (text) => apply(replaceAll, text, ['\\0', '\\ufffd']);
  const text = (value) => (typeof value === 'string' ? value : stringify(value) ?? String(value));
  globalThis.fetch = async (url, { method = 'GET', headers = {}, body = null } = {}) => {
    const asked = { url: String(url), method: String(method).toUpperCase(), headers: fromEntries(entries(headers)), body };
    const { error, status, body: answer } = parse(await send(stringify(asked)));
    if (error !== undefined) throw new Error(error);
    return { status, ok: status >= 200 && status < 300, text: async () => answer, json: async () => parse(answer) };
  };
  const log = (...values) => print(withoutNul(values.map(text).join(' ')));
  globalThis.console = { log, info: log, warn: log, error: log, debug: log };
  const begin = async (plugin, input) => {
    if (typeof plugin !== 'function') throw new Error('the module has no default export that is a function');
    const { event, context } = parse(input);
    return stringify(await plugin(event, context)) ?? 'null';
  };
  return { begin, withoutNul };
}`;
