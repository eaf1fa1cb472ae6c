import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { eventLine } from '../../src/cli/events/event-line.js';
import { checkAddress, DaemonUnreachable, UpgradeMissing } from '../../src/client/errors.js';
import { TopicStream } from '../../src/client/topic-stream.js';
import { DomainEvent } from '../../src/contract/events.js';
import { cut } from '../../src/terminal/columns.js';
import { harmless } from '../../src/text/printable.js';

export default class TopicsTail extends ProjectCommand {
  static override summary = 'Follow MQTT topics: the events of the project, or topics of players.';
  static override description =
    'With an API key (EARSHOT_API_KEY, scope events), follows every event of the project, or the topics that you name. Without one, follows topics that the daemon gave to players.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> projects/PROJECT/events/sanction.created',
    '<%= config.bin %> <%= command.id %> 5f4dcc3b5aa765d61d8327deb882cf99 --mqtt-url mqtt://127.0.0.1:1883',
  ];
  static override strict = false;
  static override flags = {
    'mqtt-url': Flags.string({
      env: 'EARSHOT_MQTT_URL',
      description: 'Address of the broker; default: WebSocket at the address of the daemon',
    }),
    qos: Flags.string({ options: ['0', '1'], default: '1', description: 'MQTT quality of service' }),
  };

  async run(): Promise<void> {
    const { flags, argv } = await this.input(TopicsTail);
    const { credential } = this.client;
    const apiKey = credential?.kind === 'apiKey' ? credential.key : null;
    const projectId = apiKey === null && argv.length > 0 ? null : await this.projectId();
    const named = flags['mqtt-url'];
    const url = named !== undefined ? named : `${this.baseUrl.replace(/^http/, 'ws')}/mqtt`;
    checkAddress(url, ['mqtt', 'mqtts', 'ws', 'wss']);
    const stream = new TopicStream({
      url,
      topics: argv.length > 0 ? argv : [`projects/${projectId}/events/#`],
      qos: flags.qos === '0' ? 0 : 1,
      ...(apiKey === null || projectId === null ? {} : { credential: { projectId, apiKey } }),
    });
    let state: 'new' | 'open' | 'lost' = 'new';
    for await (const notice of stream) {
      if (notice.kind === 'message') this.log(this.line(notice.topic, notice.text));
      else if (notice.kind === 'lost') {
        // A broker that is not there at the beginning is not waited for.
        if (state === 'new') {
          if (notice.error instanceof UpgradeMissing) throw notice.error;
          throw new DaemonUnreachable(url, notice.error, named === undefined ? 'EARSHOT_URL' : 'EARSHOT_MQTT_URL');
        }
        state = 'lost';
        this.logToStderr(
          `Connection lost (${notice.reason}); trying again in ${(notice.retryInMs / 1_000).toFixed(1)} s. Events of that time are not delivered later.`,
        );
      } else {
        if (state === 'lost') this.logToStderr('Connected again.');
        state = 'open';
      }
    }
  }

  /** `--json` and pipes: one object a line; what is no JSON as `text`. */
  private line(topic: string, text: string): string {
    const read = payloadOf(text);
    if (this.common.json === true || !this.screen.isTerminal) return JSON.stringify({ topic, ...read });
    const event = DomainEvent.safeParse(read.payload);
    if (event.success) return eventLine(event.data, this.screen);
    const line = `${topic}  ${harmless(text)}`;
    const { width = 0 } = this.screen;
    return width > 0 ? cut(line, width) : line;
  }
}

function payloadOf(text: string): { readonly payload?: unknown; readonly text?: string } {
  try {
    return { payload: JSON.parse(text) };
  } catch {
    return { text };
  }
}
