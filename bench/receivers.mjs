// Receivers of webhooks on the loopback: they take what comes and note when it came.
import { once } from 'node:events';
import http from 'node:http';

const patienceMs = 60_000;

export class Receivers {
  #servers = [];
  #missing = 0;
  #done = () => {};
  #began = null;
  /** Called with the body of each delivery. */
  onDelivery = null;
  urls = [];

  async open(count) {
    for (let each = 0; each < count; each += 1)
      await this.#listen((request, response) => this.#take(request, response));
  }

  async #listen(handler) {
    const server = http.createServer(handler).listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#servers.push(server);
    this.urls.push(`http://127.0.0.1:${server.address().port}/`);
  }

  #take(request, response) {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      this.#began ??= performance.now();
      this.onDelivery?.(Buffer.concat(chunks).toString());
      this.#missing -= 1;
      if (this.#missing === 0) this.#done();
    });
  }

  /** Resolves once so many deliveries came, to how many came per second from the first to the last. */
  async take(count) {
    this.#missing = count;
    this.#began = null;
    let timer;
    await new Promise((resolve, reject) => {
      this.#done = resolve;
      timer = setTimeout(() => reject(new Error(`${this.#missing} deliveries did not arrive.`)), patienceMs);
    }).finally(() => clearTimeout(timer));
    return ((count - 1) / (performance.now() - this.#began)) * 1_000;
  }

  close() {
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }
}

/** Takes every request and answers none. */
export async function openHanging() {
  const server = http.createServer((request) => request.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
