/** Where the media port is open: for this machine alone where HTTP is, else on every address. */
export const bindAddressOf = (httpHost: string): string | null =>
  ['127.0.0.1', '::1', 'localhost'].includes(httpHost) ? '127.0.0.1' : null;
