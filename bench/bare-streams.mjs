// The reference of the streams bench: a Node SSE server that writes what it receives to everybody, and does nothing else.
// POST / with a frame as the body and its number of repetitions in `x-count`; GET / is the stream.
import http from 'node:http';

const streams = new Set();
const server = http.createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': welcome\n\n');
    streams.add(response);
    response.on('close', () => streams.delete(response));
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const frame = Buffer.concat(chunks);
    for (let left = Number(request.headers['x-count']); left > 0; left -= 1)
      for (const stream of streams) stream.write(frame);
    response.end();
  });
});
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/` }));
process.once('disconnect', () => process.exit());
