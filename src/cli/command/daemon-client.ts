/** The client of commands. They end after a call or two, so they are spared what `fetch` takes to load. */
import { type Credential, EarshotClient } from '../../client/earshot-client.js';
import { byHttp } from '../../client/http-transport.js';

export const daemonClient = (baseUrl: string, credential: Credential | null = null): EarshotClient =>
  new EarshotClient({ baseUrl, transport: byHttp, ...(credential === null ? {} : { credential }) });
