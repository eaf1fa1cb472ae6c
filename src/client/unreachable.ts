/** Says why nothing answered at an address and what to do about it. Browsers do not tell why, Node.js does by codes. */

const certificateReasons: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate authority is not trusted here'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its certificate authority is not trusted here'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its certificate authority is not trusted here'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'its certificate authority is not trusted here, or the server does not send the whole chain',
  ],
]);
const spokenPlain = new Set(['ERR_SSL_WRONG_VERSION_NUMBER', 'EPROTO', 'ERR_SSL_PACKET_LENGTH_TOO_LONG']);
const hungUp = new Set(['ECONNRESET', 'UND_ERR_SOCKET']);
const noSuchHost = new Set(['ENOTFOUND', 'EAI_AGAIN']);
const tooSlow = new Set(['TimeoutError', 'ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT']);

/** Codes and names along the chain of causes. */
function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause)
    codes.push(one.name, 'code' in one ? String(one.code) : '');
  return codes;
}

/** The connection was not opened, so that nothing was sent. */
const unconnected = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);
const untrustedCodes = new Set([...certificateReasons.keys(), 'CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID']);

/** True if no part of the request was sent. Browsers do not tell, so there it is false. */
export const wasNeverSent = (cause: unknown): boolean =>
  codesOf(cause).some((code) =>
    [noSuchHost, spokenPlain, unconnected, untrustedCodes].some((known) => known.has(code)),
  );

/** How runtimes say that a program did what cannot be done. */
const programFaults =
  /\bis not (a function|a constructor|iterable|defined|an object|an instance)|\bundefined\b|\bnull\b|Illegal invocation|incorrect `this`|Cannot (read|set|access|convert|destructure|perform|assign|delete|add|redefine)/;

/** What runtimes without codes say of the network in errors that are no TypeError: Cloudflare's workers, and old browsers. */
const networkFaults = /network|connection|socket|internal error|timed out|offline/i;

/** True for a plain error that says nothing of the network, as a worker throws that does what it may not. */
const isForeign = (cause: Error): boolean =>
  cause.name === 'Error' && !('code' in cause) && !networkFaults.test(cause.message);

/** True for a fault of the program itself, such as of a transport of its own: the network has no part in it. */
export const isProgramFault = (cause: unknown): boolean =>
  [ReferenceError, RangeError, SyntaxError].some((kind) => cause instanceof kind) ||
  (cause instanceof Error && cause.cause === undefined && (programFaults.test(cause.message) || isForeign(cause)));

/** True if the time for an answer has passed. */
export const isTimeout = (error: unknown): boolean => codesOf(error).some((code) => tooSlow.has(code));

/** Returns why the answer to a request that was sent is not known. */
export function whyLost(cause: unknown): string {
  if (isTimeout(cause)) return 'it did not come in time';
  const { status } = Object(cause) as { status?: unknown };
  return typeof status === 'number' ? `a proxy answered ${status}` : 'the connection was cut';
}

const isLoopback = ({ hostname }: URL): boolean => /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);

/** `variable` names the environment variable that holds the address. */
export function whyUnreachable(address: string, cause: unknown, variable: string): string {
  const codes = codesOf(cause);
  const isOf = (known: ReadonlySet<string>): boolean => codes.some((code) => known.has(code));
  const untrusted = codes.map((code) => certificateReasons.get(code)).find((reason) => reason !== undefined);
  const another = `set another address with ${variable}`;
  if (untrusted !== undefined)
    return `The certificate of ${address} is not trusted: ${untrusted}. Set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority (for a self-signed one, the certificate itself).`;
  if (codes.includes('CERT_HAS_EXPIRED')) return `The certificate of ${address} has expired. Renew it.`;
  if (codes.includes('ERR_TLS_CERT_ALTNAME_INVALID'))
    return `The certificate of ${address} is for another host. Use that host's name: ${another}.`;
  const url = new URL(address);
  const isTls = url.protocol.endsWith('s:');
  if (isTls && isOf(spokenPlain))
    return `The server at ${address} does not speak TLS. Write ${address.replace(/^(\w+)s:/, '$1:')} instead.`;
  if (!isTls && isOf(hungUp))
    return `The server at ${address} closes the connection without an answer. If it speaks TLS, write ${address.replace(/^(\w+):/, '$1s:')} instead.`;
  if (isOf(noSuchHost)) return `There is no host ${url.hostname}. Correct the name, or ${another}.`;
  if (isOf(tooSlow)) return `${address} did not answer in time. Try again, or ${another}.`;
  const start = isLoopback(url) ? 'Start one with `npm start`' : 'Check that it is running and that its port is open';
  return `No daemon answers at ${address}. ${start}, or ${another}.`;
}

/** Returns what is wrong with an address that has to have one of these schemes, the usual one first; null: nothing. */
export function addressProblem(address: string, schemes: readonly string[]): string | null {
  if (URL.canParse(address) && schemes.includes(new URL(address).protocol.slice(0, -1))) return null;
  const completed = `${schemes[0]}://${address}`;
  const isOnlyBare = !address.includes('://') && URL.canParse(completed);
  const right = isOnlyBare ? completed : `one that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`;
  return `${address || 'An empty text'} is no address: write ${right}.`;
}
