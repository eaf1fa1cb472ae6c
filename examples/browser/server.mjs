/**
 * A game's own server: serves the page, and asks the daemon for room tokens with an API key that never leaves it.
 *
 *   EARSHOT_URL=… EARSHOT_API_KEY=… EARSHOT_PROJECT=… node server.mjs     scope of the key: tokens
 *
 * The daemon must know the origin of the page: EARSHOT_CORS_ORIGINS=http://127.0.0.1:3000
 */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { EarshotClient, routes } from 'earshot';
import { build } from 'rolldown';

const { EARSHOT_URL: baseUrl = 'http://127.0.0.1:8080', EARSHOT_API_KEY: key = '', PORT: port = '3000' } = process.env;
const { EARSHOT_PROJECT: projectId = '' } = process.env;
const daemon = new EarshotClient({ baseUrl, credential: { kind: 'apiKey', key } });

const page = await readFile(new URL('index.html', import.meta.url));
const input = fileURLToPath(new URL('speak.js', import.meta.url));
// Any bundler does. The library's command line loads one part late, which means nothing to a page.
const checks = { ineffectiveDynamicImport: false };
const { output } = await build({ input, platform: 'browser', write: false, checks });

/** The user who is signed in to the game. The server decides who that is, never the browser. */
const playerOf = (_request) => `guest-${randomUUID().slice(0, 8)}`;

const roomToken = (request) =>
  daemon.call(routes.tokens.generateForProject, {
    params: { projectId },
    body: { roomId: 'lobby', userId: playerOf(request) },
  });

async function answer(request) {
  if (request.url === '/') return ['text/html', page];
  if (request.url === '/speak.js') return ['text/javascript', output[0].code];
  if (request.url === '/room-token' && request.method === 'POST')
    return ['application/json', JSON.stringify(await roomToken(request))];
  return null;
}

const server = createServer(async (request, response) => {
  try {
    const found = await answer(request);
    if (found === null) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': found[0] }).end(found[1]);
  } catch (error) {
    console.error(error.message); // an ApiError says what to do
    response.writeHead(502).end();
  }
});
server.listen(Number(port), '127.0.0.1', () => console.log(`Open http://127.0.0.1:${port}/`));
