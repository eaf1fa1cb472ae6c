/** Opens an address in the browser of the person at this machine. */
import { spawn } from 'node:child_process';

/** Returns false where there is no browser to try. One that does not start is not noticed: the address is printed as well. */
export function openBrowser(address: string): boolean {
  const [program, ...args] = launcher();
  if (program === undefined) return false;
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
  return true;
}

function launcher(): readonly string[] {
  const { BROWSER: own = '', DISPLAY: x = '', WAYLAND_DISPLAY: wayland = '' } = process.env;
  if (own !== '') return [own];
  if (process.platform === 'darwin') return ['open'];
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return x === '' && wayland === '' ? [] : ['xdg-open'];
}
