/**
 * The path of `EARSHOT_PUBLIC_URL`, below which a proxy shows the daemon. Addresses that the daemon gives out begin with it; requests
 * are answered with it and without it, because some proxies remove it.
 */

/** Returns a path such as `/earshot`, or nothing for a daemon with a host of its own. */
export const basePathOf = (publicUrl = ''): string =>
  URL.canParse(publicUrl) ? new URL(publicUrl).pathname.replace(/\/$/, '') : '';

/** Returns the target of a request as the routes have it. */
export function withoutBase(target: string, basePath: string): string {
  if (basePath === '' || !target.startsWith(basePath)) return target;
  const rest = target.slice(basePath.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : target;
}
