/** Returns the address of the media port: of this machine alone if HTTP is, else null for every address. */
export const bindAddressOf = (httpHost: string): string | null =>
  ['127.0.0.1', '::1', 'localhost'].includes(httpHost) ? '127.0.0.1' : null;
