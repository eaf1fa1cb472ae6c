/** True for the names and addresses by which only this machine reaches itself. */
export const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', '[::1]', 'localhost'].includes(host);
