/** Names are looked up side by side: those whose servers are silent hold up nobody else's. */
import dgram, { type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nameLookup, type Resolve } from '../../../daemon/platform/outbound/names.js';
import { Outbound } from '../../../daemon/platform/outbound/outbound.js';
import { startReceiver } from '../../support/receiver.js';

const serverFailure = 2;
const noSuchName = 3;
const ipv4 = 1;

/** RFC 1035: knows 127.0.0.1 for `*.here.test`, is silent about `*.silent.test`, and fails for `*.failing.test`. */
class NameServer {
  /** Names that addresses of IPv4 were asked for. */
  readonly asked: string[] = [];
  private readonly held: [Buffer, RemoteInfo][] = [];
  private isSilent = true;
  private readonly socket = dgram.createSocket('udp4', (query, from) => this.hear(query, from));

  async start(): Promise<string> {
    await once(this.socket.bind(0, '127.0.0.1'), 'listening');
    return `127.0.0.1:${this.socket.address().port}`;
  }

  /** Answers what it was silent about. */
  speak(): void {
    this.isSilent = false;
    for (const [query, from] of this.held.splice(0)) this.answer(query, from, serverFailure);
  }

  stop(): void {
    this.socket.close();
  }

  private hear(query: Buffer, from: RemoteInfo): void {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += 1 + length;
    }
    const isIpv4 = query.readUInt16BE(at + 1) === ipv4;
    if (isIpv4) this.asked.push(labels.join('.'));
    const zone = labels.slice(-2).join('.');
    if (zone === 'silent.test' && this.isSilent) this.held.push([query, from]);
    else if (zone === 'here.test') this.answer(query, from, 0, isIpv4 ? [127, 0, 0, 1] : null);
    else this.answer(query, from, zone === 'missing.test' ? noSuchName : serverFailure);
  }

  private answer(query: Buffer, from: RemoteInfo, code: number, address: number[] | null = null): void {
    let end = 12;
    while ((query[end] ?? 0) > 0) end += 1 + (query[end] ?? 0);
    const head = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80 | code, 0, 1, 0, address ? 1 : 0, 0, 0, 0, 0]);
    const record = address === null ? [] : [0xc0, 12, 0, ipv4, 0, 1, 0, 0, 0, 0, 0, 4, ...address];
    this.socket.send(Buffer.concat([head, query.subarray(12, end + 5), Buffer.from(record)]), from.port, from.address);
  }
}

const here = [{ address: '127.0.0.1', family: 4 }];
const server = new NameServer();
let resolve: Resolve;
beforeAll(async () => {
  resolve = nameLookup([await server.start()]);
});
afterAll(() => server.stop());

describe('the name of a receiver', () => {
  it('is found while the servers of many others are silent', async () => {
    const receiver = await startReceiver();
    const outbound = new Outbound(['127.0.0.1/32'], resolve);
    // More than the system looks up at once, and few enough for the buffer of one socket.
    const waiting = Array.from({ length: 50 }, (_, n) => resolve(`n${n}.silent.test`).catch(() => 'failed'));
    const hook = receiver.url.replace('127.0.0.1', 'hook.here.test');
    expect((await outbound.post(hook, {}, '{}')).status).toBe(204);
    expect(await Promise.race([...waiting, 'all wait'])).toBe('all wait');
    server.speak();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['failed']));
    outbound.close();
    await receiver.stop();
  });

  it('is asked for once for all who want it', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => resolve('shared.here.test')));
    answers.push(await resolve('shared.here.test'));
    expect(answers).toEqual(answers.map(() => here));
    expect(server.asked.filter((name) => name === 'shared.here.test')).toHaveLength(1);
  });

  it('whose server fails is not asked for again at once, and never of the system', async () => {
    const failed = { code: 'ESERVFAIL' };
    await expect(resolve('one.failing.test')).rejects.toMatchObject(failed);
    const asked = server.asked.length;
    await expect(resolve('one.failing.test')).rejects.toMatchObject(failed);
    expect(server.asked.length).toBe(asked);
  });

  it('that name servers do not know is asked of the system, which may know it', async () => {
    await expect(resolve('one.missing.test')).rejects.toMatchObject({ syscall: 'getaddrinfo' });
    await expect(resolve('unknown-host')).rejects.toMatchObject({ syscall: 'getaddrinfo' });
    expect(server.asked).not.toContain('unknown-host');
  });

  it('is this host, whatever name servers answer, where it ends in localhost', async () => {
    expect(await resolve('some.localhost')).toEqual(here);
    expect(server.asked).not.toContain('some.localhost');
  });
});
