/** Faults that were once there, and the suites that show the behaviour now. The scene `70-mended.ts` runs them. */
export interface Fault {
  readonly number: number;
  /** Description of the fault, in plain words. */
  readonly wrong: string;
  /** Suites, as given to vitest. Those under test/hostile run at full scale. */
  readonly suites: readonly string[];
  /** Restricts the suites to the tests whose name has this in it. */
  readonly named?: string;
}

export const faults: readonly Fault[] = [
  {
    number: 1,
    wrong: 'A client that broke off its TLS handshake or its connection at the right moment ended the daemon.',
    suites: ['test/hostile/resets.test.ts'],
  },
  {
    number: 2,
    wrong: 'A request with `Upgrade: h2c`, which some clients always send, was answered 404.',
    suites: ['test/platform/http/upgrades.test.ts'],
  },
  {
    number: 3,
    wrong: 'A message to a room process that was just dying ended the daemon (EPIPE).',
    suites: ['test/hostile/room-process-deaths.test.ts'],
  },
  {
    number: 4,
    wrong: 'Many offers at once killed the room process, and with it every call.',
    suites: ['test/hostile/offer-flood.test.ts'],
  },
  {
    number: 5,
    wrong: 'A client that sent requests and read no answers filled the memory.',
    suites: ['test/hostile/unread-answers.test.ts'],
  },
  {
    number: 6,
    wrong: 'Fifty streams that replay everything and show nothing of it kept the daemon from everybody else.',
    suites: ['test/hostile/replays.test.ts'],
  },
  {
    number: 7,
    wrong: 'Receivers that hang kept the webhooks of everybody else waiting, and each delivery stored its own copy.',
    suites: [
      'test/hostile/hanging-receivers.test.ts',
      'test/webhooks/places.test.ts',
      'test/platform/database/webhook-payloads.test.ts',
    ],
  },
  {
    number: 8,
    wrong: 'A batch of 10,000 sanctions stopped the daemon for seconds.',
    suites: ['test/hostile/sanction-batches.test.ts'],
  },
  {
    number: 9,
    wrong: 'One tenant or one address could take all rooms, connections and the turns for passwords and game events.',
    suites: [
      'test/hostile/connections.test.ts',
      'test/hostile/login-flood.test.ts',
      'test/hostile/intake-flood.test.ts',
    ],
  },
  {
    number: 10,
    wrong: 'Wrong passwords from one address kept the owner of an account from signing in at another.',
    suites: ['test/identity/accounts.test.ts'],
  },
  {
    number: 11,
    wrong: 'One event dated 2099 made a replay by time begin at the wrong place.',
    suites: ['test/platform/events/places.test.ts'],
  },
  {
    number: 12,
    wrong: 'Viewers were shown the notes of moderators, and a stream accepted the event id of another tenant.',
    suites: [
      'test/moderation/moderator-notes.test.ts',
      'test/platform/database/stored-notes.test.ts',
      'test/platform/events/places.test.ts',
    ],
  },
  {
    number: 13,
    wrong: 'Disabling a tenant left its rooms, streams and connections open.',
    suites: ['test/earshotd/tenant-disabled.test.ts'],
  },
  {
    number: 14,
    wrong: 'Settings of how long things are kept were read by nothing.',
    suites: ['test/people/retention.test.ts', 'test/settings-read.test.ts'],
  },
  {
    number: 15,
    wrong: 'An erasure left personal data in places.',
    suites: ['test/people/erasure.test.ts'],
  },
  {
    number: 16,
    wrong: 'A daemon that was killed between doing something and noting its idempotency key did it twice.',
    suites: ['test/platform/http/idempotency.test.ts'],
  },
  {
    number: 17,
    wrong: 'A first start on a taken port lost the password of the administrator, and files could be read by others.',
    suites: ['test/earshotd/first-start.test.ts'],
  },
  {
    number: 18,
    wrong: 'A bot did not say why it writes nothing, and `exec` did not start without the recogniser.',
    suites: ['test/sessions/bot/causes.test.ts', 'test/earshotd/speech.test.ts', 'test/earshotd/exec.test.ts'],
  },
  {
    number: 19,
    wrong: 'A receiver that answered 200 and then sent its body slowly counted as failed.',
    suites: ['test/webhooks/webhook-answers.test.ts'],
  },
  {
    number: 20,
    wrong: 'Secrets went on to a changed address, stood in `config print`, and control characters reached terminals.',
    suites: [
      'test/projects/settings.test.ts',
      'test/webhooks/webhook-operations.test.ts',
      'test/cli/hostile-text.test.ts',
      'test/earshotd/config.test.ts',
    ],
  },
  {
    number: 21,
    wrong:
      'MQTT: a second client took the id of the first, grants said too much, one malformed event stopped the follower.',
    suites: ['test/mqtt/broker.test.ts', 'test/mqtt/mosquitto.test.ts', 'test/platform/events/unreadable.test.ts'],
  },
  {
    number: 22,
    wrong: 'WHIP and WHEP differed from their documents in headers and methods.',
    suites: ['test/rooms/whip.test.ts'],
  },
  {
    number: 23,
    wrong:
      'Clients generated from the OpenAPI document did not compile; rooms, servers and examples were missing or odd.',
    suites: ['test/contract/openapi.test.ts'],
  },
  {
    number: 24,
    wrong: 'Sign-in by an identity provider failed where it wrote null or a time as text.',
    suites: ['test/identity/external-login.test.ts'],
  },
  {
    number: 25,
    wrong: 'Prometheus counted what it should not, or refused what it was shown.',
    suites: ['test/platform/observability/metrics.test.ts'],
  },
  {
    number: 26,
    wrong: 'Ingest took kinds that only the daemon may emit, and a known path with another method was 404, not 405.',
    suites: ['test/ingest/ingest.test.ts', 'test/platform/http/methods.test.ts'],
  },
  {
    number: 27,
    wrong: 'Secrets could be given on the command line, where every user of the machine reads them.',
    suites: ['test/cli/projects.test.ts', 'test/cli/settings.test.ts'],
  },
  {
    number: 28,
    wrong: 'Passwords needed a compiler on some machines.',
    suites: ['test/identity/passwords.test.ts', 'test/earshotd/exec.test.ts'],
  },
  {
    number: 29,
    wrong: 'No page said what is promised against attacks, and no command showed it.',
    suites: ['test/earshotd/health-table.test.ts', 'test/security-page.test.ts'],
  },
];
