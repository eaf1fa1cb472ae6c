/** Starts the embedded recogniser as a server. */
import { loadVoiceActivity } from '../bot/voice-activity.js';
import { selectTranscriber, type TranscriberSettings } from '../recognisers/select.js';
import type { RecordingReader } from '../speech-server/audio.js';
import { SpeechServer } from '../speech-server/server.js';

type StartedServer =
  | { readonly ok: true; readonly engine: string; readonly url: string; stop(): Promise<void> }
  | { readonly ok: false; readonly reason: string; readonly remedy: string };

/** Another service is never asked: a server of this kind would pass on its work in a circle. Rejects where the port is taken. */
export async function startSpeechServer(
  settings: TranscriberSettings,
  key: string | null,
  readRecording: RecordingReader,
  { host, port }: { readonly host: string; readonly port: number },
  onFault: (error: unknown) => void = () => {},
): Promise<StartedServer> {
  const choice = settings.choice.startsWith('openai') || settings.choice === 'off' ? 'auto' : settings.choice;
  const openai = { ...settings.openai, baseUrl: null, apiKey: null };
  const selection = await selectTranscriber({ ...settings, choice, openai });
  if (selection.transcriber === null) return { ok: false, reason: selection.reason, remedy: selection.remedy };
  const { transcriber } = selection;
  const server = new SpeechServer({ transcriber, newDetector: await loadVoiceActivity(), readRecording, key, onFault });
  await transcriber.start();
  try {
    const url = await server.listen(host, port);
    const stop = async () => {
      await server.close();
      await transcriber.stop();
    };
    return { ok: true, engine: transcriber.name, url, stop };
  } catch (error) {
    await transcriber.stop();
    throw error;
  }
}
