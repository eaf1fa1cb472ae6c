// The reference of the events bench: an Express route that parses the same body and answers, and does nothing else.
import express from 'express';

const app = express();
app.use(express.json());
app.post('/api/v1/events', (request, response) => {
  response.json({ status: 200, message: request.body.event_name === undefined ? 'no event' : 'OK' });
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send({ url: `http://127.0.0.1:${server.address().port}/api/v1/events`, key: 'x'.repeat(59) });
});
process.once('SIGTERM', () => process.exit());
