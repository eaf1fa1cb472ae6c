// wrk takes its requests from a Lua script, which reads them from a file: one message after the other, each behind its length.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const warmUpSeconds = 1;

const script = `
local requests, at = {}, 0
function init(args)
  local file = assert(io.open(args[1], "rb"))
  while true do
    local length = file:read("*n")
    if length == nil then break end
    file:read(1)
    requests[#requests + 1] = file:read(length)
  end
  file:close()
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    'RESULT {"requests":%d,"microseconds":%d,"refused":%d,"failed":%d,"p50":%.3f,"p99":%.3f}\\n',
    summary.requests, summary.duration, errors.status, failed,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`;

function messageOf({ method, url, headers, body = '' }) {
  const { host, pathname, search } = new URL(url);
  const all = { host, ...headers, ...(body === '' ? {} : { 'content-length': Buffer.byteLength(body) }) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${pathname}${search} HTTP/1.1\r\n${head.join('')}\r\n${body}`;
}

/** All connections take turns with the requests. */
export function byWrk({ url, method, connections, seconds, requests }) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-wrk-'));
  const [program, messages] = [join(folder, 'load.lua'), join(folder, 'messages')];
  const run = (duration) => {
    const options = [
      '-t1',
      `-c${connections}`,
      `-d${duration}s`,
      '--timeout',
      '30s',
      '-s',
      program,
      url,
      '--',
      messages,
    ];
    const printed = execFileSync('wrk', options, { encoding: 'utf8' });
    return JSON.parse(/^RESULT (.*)$/m.exec(printed)[1]);
  };
  try {
    writeFileSync(program, script);
    const texts = requests.map((request) => messageOf({ method, url, ...request }));
    writeFileSync(messages, texts.map((one) => `${Buffer.byteLength(one)}\n${one}`).join('\n'));
    const warmUp = run(warmUpSeconds);
    const { requests: answered, microseconds, refused, failed, p50, p99 } = run(seconds);
    const total = answered - refused;
    return {
      perSecond: (total * 1e6) / microseconds,
      total,
      totalWithWarmUp: total + warmUp.requests - warmUp.refused,
      p50,
      p99,
      failed: failed + refused,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
