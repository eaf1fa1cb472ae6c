/** External user ids that nobody but the daemon may use: those of the bot and of observers in rooms. */
import { ExternalUserId } from '../common.js';

/** Id of the bot in projects whose settings name none. */
export const usualBotId = 'earshot-bot';
export const observerPrefix = 'observer:';

export const isReservedId = (externalUserId: string, botId = usualBotId): boolean =>
  externalUserId === usualBotId || externalUserId === botId || externalUserId.startsWith(observerPrefix);

/** Id of a person who is made known, or enters a room. */
export const PersonId = ExternalUserId.refine((id) => !isReservedId(id), {
  message: 'is reserved for the bot or for observers in rooms',
});
