// A speech recogniser that costs no time: it answers each request at once, and always the same.
import { once } from 'node:events';
import http from 'node:http';

/** Speaks as OpenAI does; `url` is its base address. */
export async function openRecogniser(text) {
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(request.method === 'GET' ? { object: 'list', data: [] } : { text, language: 'en' }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
