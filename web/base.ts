/** Where the daemon is. Behind a proxy it may be below a path; the scripts of the pages are in its folder `assets`. */
const script = import.meta.url;

/** The address without a slash at its end, such as `https://studio.example/earshot`. */
export const baseUrl = new URL('..', script).href.replace(/\/$/, '');

/** The path of the address, such as `/earshot`; empty for a daemon with a host of its own. */
export const basePath = new URL(baseUrl).pathname.replace(/\/$/, '');
