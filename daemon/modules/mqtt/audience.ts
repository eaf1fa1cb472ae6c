/**
 * Clients of each subject, with the topic names by which each follows it. Several names may lead to
 * one subject: those of a leaderboard are made for a player each. An entry exists while it has a client.
 */

/** Subject of a topic. */
export interface AudienceSubject {
  readonly projectId: string;
  /** Empty for a leaderboard, which publishes the same to everybody. */
  readonly userId: string;
  /** `challenges`, `challenge:<id>`, `battle-pass:<id>` or `leaderboard:<id>`. */
  readonly subject: string;
}

interface TopicListener<Client> {
  readonly client: Client;
  readonly name: string;
  readonly qos: 0 | 1;
}

const keyOf = ({ projectId, userId, subject }: AudienceSubject): string => JSON.stringify([projectId, userId, subject]);

export class Audience<Client> {
  /** Key of the subject → client → topic name. */
  private readonly listeners = new Map<string, Map<Client, Map<string, TopicListener<Client>>>>();
  private readonly heard = new Map<Client, Map<string, AudienceSubject>>(); // client → topic name → subject
  /** How many subscriptions there are to topics of each project. */
  private readonly subscriptions = new Map<string, number>();

  add(client: Client, name: string, subject: AudienceSubject, qos: 0 | 1): void {
    const key = keyOf(subject);
    const ofSubject = this.listeners.get(key) ?? new Map<Client, Map<string, TopicListener<Client>>>();
    const names = ofSubject.get(client) ?? new Map<string, TopicListener<Client>>();
    this.listeners.set(key, ofSubject.set(client, names.set(name, { client, name, qos })));
    const ofClient = this.heard.get(client) ?? new Map<string, AudienceSubject>();
    if (!ofClient.has(name)) this.count(subject.projectId, 1);
    this.heard.set(client, ofClient.set(name, subject));
  }

  remove(client: Client, name: string): void {
    const ofClient = this.heard.get(client);
    const subject = ofClient?.get(name);
    if (ofClient === undefined || subject === undefined) return;
    const key = keyOf(subject);
    ofClient.delete(name);
    this.count(subject.projectId, -1);
    if (ofClient.size === 0) this.heard.delete(client);
    const ofSubject = this.listeners.get(key);
    const names = ofSubject?.get(client);
    names?.delete(name);
    if (names?.size === 0) ofSubject?.delete(client);
    if (ofSubject?.size === 0) this.listeners.delete(key);
  }

  forget(client: Client): void {
    for (const name of [...(this.heard.get(client)?.keys() ?? [])]) this.remove(client, name);
  }

  /** Gives the listeners to a player's subjects those of the player's new id, by the names that they know. */
  move(projectId: string, from: string, to: string): void {
    for (const [client, subjects] of [...this.heard])
      for (const [name, subject] of [...subjects]) {
        if (subject.projectId !== projectId || subject.userId !== from) continue;
        const qos = this.listeners.get(keyOf(subject))?.get(client)?.get(name)?.qos ?? 0;
        this.remove(client, name);
        this.add(client, name, { ...subject, userId: to }, qos);
      }
  }

  countOf(client: Client): number {
    return this.heard.get(client)?.size ?? 0;
  }

  *listenersOf(subject: AudienceSubject): Iterable<TopicListener<Client>> {
    for (const names of this.listeners.get(keyOf(subject))?.values() ?? []) yield* names.values();
  }

  /** The listeners to a subject of every player. */
  *ofAll(projectId: string, subject: string): Iterable<TopicListener<Client>> {
    for (const [client, subjects] of this.heard)
      for (const [name, heard] of subjects)
        if (heard.projectId === projectId && heard.subject === subject) {
          const listener = this.listeners.get(keyOf(heard))?.get(client)?.get(name);
          if (listener !== undefined) yield listener;
        }
  }

  has(subject: AudienceSubject): boolean {
    return this.listeners.has(keyOf(subject));
  }

  /** Projects whose topics have listeners. */
  projects(): Iterable<string> {
    return this.subscriptions.keys();
  }

  /** Clients that listen to topics of these projects. */
  *inProjects(projectIds: ReadonlySet<string>): Iterable<Client> {
    for (const [client, subjects] of this.heard)
      if ([...subjects.values()].some(({ projectId }) => projectIds.has(projectId))) yield client;
  }

  get empty(): boolean {
    return this.listeners.size === 0;
  }

  private count(projectId: string, change: 1 | -1): void {
    const left = (this.subscriptions.get(projectId) ?? 0) + change;
    if (left === 0) this.subscriptions.delete(projectId);
    else this.subscriptions.set(projectId, left);
  }
}
