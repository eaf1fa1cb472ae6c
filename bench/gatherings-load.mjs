// Connections that create a gathering and end it, again and again. Reads what to ask as JSON from its input; prints how many it
// ended, in the warm-up too, how many in a second after it, and the milliseconds that each took.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

const { url, token, connections, warmUp, count } = JSON.parse(await text(process.stdin));
const agents = [url].flat().map(() => new Agent({ keepAlive: true, maxSockets: connections }));
const urls = [url].flat();

const post = (place, path, body) =>
  new Promise((resolve, reject) => {
    const content = JSON.stringify(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(content),
      authorization: `Bearer ${token}`,
    };
    const sent = request(`${urls[place]}${path}`, { method: 'POST', agent: agents[place], headers }, (answer) => {
      text(answer).then((got) => {
        if (answer.statusCode < 300) resolve(got);
        else reject(new Error(`${path} was answered with ${answer.statusCode}: ${got}`));
      }, reject);
    });
    sent.on('error', reject);
    sent.end(content);
  });

let [begun, ended] = [0, 0];
let from = 0;
const tookMs = [];
async function work(place) {
  while (begun < warmUp + count) {
    begun += 1;
    const began = performance.now();
    const { id } = JSON.parse(await post(place, '', { name: 'Bench', type: 'lobby', maxMembers: 8 }));
    await post(place, `/${id}/end`, {});
    ended += 1;
    if (ended === warmUp) from = performance.now();
    else if (ended > warmUp) tookMs.push(performance.now() - began);
  }
}
await Promise.all(Array.from({ length: connections }, (_, index) => work(index % urls.length)));
process.stdout.write(JSON.stringify({ total: ended, tookMs, perSecond: (count / (performance.now() - from)) * 1_000 }));
process.exit();
