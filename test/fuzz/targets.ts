/** Every parser that is fuzzed. */
import type { FuzzTarget } from './engine/target.js';
import { chat } from './targets/chat.js';
import { csv } from './targets/csv.js';
import { eventsFile } from './targets/events-file.js';
import { frames } from './targets/frames.js';
import { lane } from './targets/lane.js';
import { mqtt } from './targets/mqtt.js';
import { packets } from './targets/packets.js';
import { requests } from './targets/requests.js';
import { roomMessages } from './targets/room-messages.js';
import { rules } from './targets/rules.js';
import { sanctionsFile } from './targets/sanctions-file.js';
import { sdp } from './targets/sdp.js';
import { season } from './targets/season.js';
import { signatures } from './targets/signatures.js';
import { sse } from './targets/sse.js';
import { starts } from './targets/starts.js';
import { texts } from './targets/texts.js';
import { times } from './targets/times.js';
import { tokens } from './targets/tokens.js';
import { wav } from './targets/wav.js';

export const targets: readonly FuzzTarget[] = [
  chat,
  csv,
  eventsFile,
  frames,
  lane,
  mqtt,
  packets,
  requests,
  roomMessages,
  rules,
  sanctionsFile,
  sdp,
  season,
  signatures,
  sse,
  starts,
  texts,
  times,
  tokens,
  wav,
];
