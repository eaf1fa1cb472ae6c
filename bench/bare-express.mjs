// The reference of the benches that send requests: Express routes that parse the same body, or answer with as many bytes, and do
// nothing else.
import express from 'express';

const app = express();
app.use(express.json());
app.post('/api/v1/events', (request, response) => {
  response.json({ status: 200, message: request.body.event_name === undefined ? 'no event' : 'OK' });
});
const entries = (count) =>
  Array.from({ length: count }, (_, index) => ({
    memberType: 'user',
    memberId: `player-${index}`,
    rank: index + 1,
    score: 1_000_000 - index,
    info: { username: null, avatarImage: null },
  }));
const top = { leaderboard: {}, period: {}, entries: entries(100) };
const member = { member: entries(1)[0], around: entries(11) };
app.get('/top', (_, response) => response.json(top));
app.get('/kilobyte', (_, response) => response.json({ text: 'x'.repeat(1_000) }));
app.get('/member', (_, response) => response.json(member));
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}`;
  process.send({
    url: `${url}/api/v1/events`,
    top: `${url}/top`,
    member: `${url}/member`,
    kilobyte: `${url}/kilobyte`,
    key: 'x'.repeat(59),
  });
});
process.on('message', () => process.send(process.cpuUsage()));
process.once('SIGTERM', () => process.exit());
