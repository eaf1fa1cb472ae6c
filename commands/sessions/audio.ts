import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { ProjectCommand } from '../../src/cli/command/command.js';
import { writeOut } from '../../src/cli/files/write-out.js';
import { nameArgument } from '../../src/cli/names/kinds.js';
import { messagesAround, mixed, spanOf } from '../../src/cli/sessions/sound-around.js';
import { wholeTranscript } from '../../src/cli/sessions/transcript.js';
import { parseDuration } from '../../src/cli/typed/times.js';
import { readWav } from '../../src/client/voice/wav-file.js';
import { sessionRoutes } from '../../src/contract/sessions/sessions.js';
import { StateError } from '../../src/terminal/state-error.js';
import { printData } from '../../src/terminal/terminal.js';
import { UsageError } from '../../src/terminal/usage-error.js';
import { harmless } from '../../src/text/printable.js';
import { transcriptFile, transcriptLine } from '../../src/text/transcript-file.js';

const aroundMax = 600;

export default class SessionsAudio extends ProjectCommand {
  static override summary = sessionRoutes.debugAudio.summary;
  static override examples = [
    '<%= config.bin %> <%= command.id %> SESSION MESSAGE heard.wav',
    '<%= config.bin %> <%= command.id %> SESSION MESSAGE heard.wav --around 30s',
  ];
  static override args = {
    session: nameArgument('session'),
    message: Args.string({ required: true, description: 'Message id' }),
    file: Args.string({ required: true, description: 'File to write; an existing file is not overwritten' }),
  };
  static override flags = {
    around: Flags.string({
      description:
        'Also what everybody said this long before and after; the lines are printed, and written beside as .srt',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = await this.input(SessionsAudio);
    const { session, message, file } = args;
    if (flags.around !== undefined) return this.around(session, message, file, parseDuration(flags.around));
    const audio = await this.sound(session, message);
    await writeOut(file, audio, { isNew: true });
    this.logToStderr(`${audio.length} bytes in ${file}.`);
  }

  private async around(session: string, message: string, file: string, seconds: number): Promise<void> {
    if (seconds > aroundMax) throw new UsageError('--around takes up to 10m.');
    const params = { projectId: await this.projectId(), id: session };
    const all = await wholeTranscript(this.client, params);
    const middle = all.find(({ id }) => id === message);
    if (middle === undefined)
      throw new StateError(
        'message_not_found',
        `The session has no message ${harmless(message)}. See: earshot sessions messages ${session} --ids`,
        { messageId: message },
      );
    const said = all.filter(({ type }) => type === 'user'); // who came and went makes no sound
    const lines = messagesAround(said, middle, seconds);
    const sounds = [];
    for (const one of lines)
      if (one.hasDebugAudio) sounds.push({ ...spanOf(one), recording: readWav(await this.sound(session, one.id)) });
    if (sounds.length === 0)
      throw new StateError(
        'debug_audio_not_found',
        'No sound of these lines is kept. See: earshot settings debug-audio --help',
        { messageId: lines.map(({ id }) => id) },
      );
    await writeOut(file, mixed(sounds, Math.min(...lines.map((one) => spanOf(one).fromMs))), { isNew: true });
    const subtitles = `${file.replace(/\.wav$/i, '')}.srt`;
    await writeOut(subtitles, transcriptFile(lines, 'srt'), { isNew: true });
    await printData(lines.map(transcriptLine).join(''));
    this.logToStderr(`Sound of ${sounds.length} of ${lines.length} lines in ${file}, the lines in ${subtitles}.`);
  }

  private async sound(id: string, messageId: string): Promise<Buffer> {
    const params = { projectId: await this.projectId(), id, messageId };
    return Buffer.from(await this.client.bytes(sessionRoutes.debugAudio, { params }));
  }
}
