import * as Args from '@oclif/core/args';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { writeOut } from '../../src/cli/files/write-out.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';

export default class SessionsAudio extends ProjectCommand {
  static override summary = sessionRoutes.debugAudio.summary;
  static override examples = ['<%= config.bin %> <%= command.id %> SESSION MESSAGE heard.wav'];
  static override args = {
    session: nameArgument('session'),
    message: Args.string({ required: true, description: 'Message id' }),
    file: Args.string({ required: true, description: 'File to write; an existing file is not overwritten' }),
  };

  async run(): Promise<void> {
    const { args } = await this.input(SessionsAudio);
    const { session: id, message: messageId, file } = args;
    const params = { projectId: await this.projectId(), id, messageId };
    const answer = await this.client.fetch(sessionRoutes.debugAudio, { params });
    const audio = Buffer.from(await answer.arrayBuffer());
    await writeOut(file, audio, { isNew: true });
    this.logToStderr(`${audio.length} bytes in ${file}.`);
  }
}
