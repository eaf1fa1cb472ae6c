/** Who listens to what: topic names by subject, and the clients of each. One entry lives as long as it has a client. */

/** What a topic is about. */
export interface TopicSubject {
  readonly projectId: string;
  readonly userId: string;
  /** `challenges`, or `challenge:<id>`. */
  readonly subject: string;
}

export interface Listener<Client> {
  readonly client: Client;
  readonly name: string;
  readonly qos: 0 | 1;
}

const keyOf = ({ projectId, userId, subject }: TopicSubject): string => JSON.stringify([projectId, userId, subject]);

export class Audience<Client> {
  private readonly listeners = new Map<string, Map<Client, Listener<Client>>>();
  private readonly heard = new Map<Client, Map<string, string>>(); // client → topic name → key

  add(client: Client, name: string, subject: TopicSubject, qos: 0 | 1): void {
    const key = keyOf(subject);
    const ofSubject = this.listeners.get(key) ?? new Map<Client, Listener<Client>>();
    this.listeners.set(key, ofSubject.set(client, { client, name, qos }));
    const ofClient = this.heard.get(client) ?? new Map<string, string>();
    this.heard.set(client, ofClient.set(name, key));
  }

  remove(client: Client, name: string): void {
    const ofClient = this.heard.get(client);
    const key = ofClient?.get(name);
    if (ofClient === undefined || key === undefined) return;
    ofClient.delete(name);
    if (ofClient.size === 0) this.heard.delete(client);
    const ofSubject = this.listeners.get(key);
    ofSubject?.delete(client);
    if (ofSubject?.size === 0) this.listeners.delete(key);
  }

  forget(client: Client): void {
    for (const name of [...(this.heard.get(client)?.keys() ?? [])]) this.remove(client, name);
  }

  countOf(client: Client): number {
    return this.heard.get(client)?.size ?? 0;
  }

  of(subject: TopicSubject): Iterable<Listener<Client>> {
    return this.listeners.get(keyOf(subject))?.values() ?? [];
  }

  get empty(): boolean {
    return this.listeners.size === 0;
  }
}
