import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { DatedLines, eventLine, isDeliveryNoise, partialLine } from '../../src/cli/events/event-line.js';
import { slipHint, typesIn } from '../../src/cli/events/event-types.js';
import { follow } from '../../src/cli/events/follow.js';
import { RoomScope, roomEventTypes } from '../../src/cli/events/room-scope.js';
import { refuseUnknownResources, streamFlags } from '../../src/cli/events/stream-flags.js';
import { idsAlone, KnownNames } from '../../src/cli/names/known-names.js';
import { requestFrom } from '../../src/cli/typed/fields.js';
import type { DomainEvent } from '../../src/contract/events.js';
import { partialType } from '../../src/contract/sessions/partial-messages.js';
import { eventRoutes } from '../../src/contract/streams/event-streams.js';

export default class EventsTail extends ProjectCommand {
  static override summary = eventRoutes.streamProject.summary;
  static override description =
    'On a terminal, prints one line per event: when, what, who and why, with names. Elsewhere, prints the event itself, one JSON object per line.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --types "sanction.*"',
    '<%= config.bin %> <%= command.id %> --follow-room demo',
    '<%= config.bin %> <%= command.id %> --user bob --since earliest',
    '<%= config.bin %> <%= command.id %> --since earliest --json | jq .type',
    '<%= config.bin %> <%= command.id %> --all-projects',
  ];
  static override flags = {
    ...streamFlags,
    'follow-room': Flags.string({
      description: 'Only events about this room: its sessions, people who come and go, their sanctions',
      exclusive: ['resources', 'user', 'all-projects'],
    }),
    partials: Flags.boolean({ description: 'What people are saying too, while they say it; it is not stored' }),
    deliveries: Flags.boolean({ description: 'Show webhook deliveries on a terminal too' }),
    'all-projects': Flags.boolean({ description: 'Every project of the tenant that you may read' }),
  };

  private readonly names = new Map<string, KnownNames>();

  async run(): Promise<void> {
    const { flags } = await this.input(EventsTail);
    refuseUnknownResources(flags.resources);
    const query = requestFrom(eventRoutes.streamAll.query.omit({ partials: true }), flags);
    const hint = slipHint(typesIn(flags.types));
    if (hint !== null) this.logToStderr(hint);
    const projectId = flags['all-projects'] ? null : await this.projectId();
    const roomId = flags['follow-room'];
    const room = roomId === undefined || projectId === null ? null : new RoomScope(this.client, projectId, roomId);
    const types = room === null ? {} : { types: flags.types ?? roomEventTypes };
    const isPlain = this.common.json === true || !this.screen.isTerminal;
    const dated = new DatedLines(this.screen.now);
    const events = follow(
      this.client,
      { projectId, ...query, ...types, partials: flags.partials },
      (line) => this.logToStderr(line),
      {
        partial: (partial) => {
          if (roomId !== undefined && partial.roomId !== roomId) return;
          this.log(isPlain ? JSON.stringify({ type: partialType, ...partial }) : partialLine(partial, this.screen));
        },
        begun: async () => {
          await room?.load();
          if (!isPlain) this.logToStderr('Waiting for events; press ctrl-c to stop.');
        },
      },
    );
    for await (const { event, text } of events) {
      if (room?.covers(event) === false) continue;
      if (isPlain) this.log(text);
      else if (flags.deliveries || flags.types !== undefined || !isDeliveryNoise(event))
        this.log(dated.line(event, await this.named(event)));
    }
  }

  private async named(event: DomainEvent): Promise<string> {
    const { projectId } = event;
    if (projectId === undefined) return eventLine(event, this.screen, idsAlone);
    const names = this.names.get(projectId) ?? new KnownNames(this.client, projectId);
    this.names.set(projectId, names);
    await names.learn(event);
    return eventLine(event, this.screen, names);
  }
}
