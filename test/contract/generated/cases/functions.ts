/** Settings of functions, at a hosting API that answers what `hosting.behave` says. */
import { functionRoutes } from '../../../../src/contract/functions/functions.js';
import { type Cases, just, type SceneOf } from '../case.js';
import type { World } from '../world.js';

async function stored(world: World, more: object = {}): Promise<string> {
  const projectId = await world.bareProject();
  const { url: address, token } = world.hosting;
  const body = { provider: 'http' as const, address, credentials: { token }, ...more };
  await world.client.call(functionRoutes.update, { params: { projectId }, body });
  return projectId;
}
const complete = { enabled: true, resourcePackageId: 'small', locationId: 'eu-1' };

const bare: SceneOf = async (world) => ({ params: { projectId: await world.bareProject() } });
const reached: SceneOf = async (world) => {
  world.hosting.behave = () => null;
  return { params: { projectId: await stored(world) } };
};
const ready: SceneOf = async (world) => {
  world.hosting.behave = () => null;
  return { params: { projectId: await stored(world, complete) } };
};
const active: SceneOf = async (world) => {
  const scene = await ready(world);
  const projectId = scene.params?.projectId ?? '';
  await world.client.call(functionRoutes.activate, { params: { projectId } });
  return scene;
};
/** The first call is left without an answer, and the next meets it. */
const changing: SceneOf = async (world) => {
  const scene = await ready(world);
  const projectId = scene.params?.projectId ?? '';
  world.hosting.behave = () => ({ hangs: true });
  world.client.call(functionRoutes.activate, { params: { projectId } }).catch(() => {});
  while ((await world.client.call(functionRoutes.get, { params: { projectId } })).status !== 'changing');
  return { ...scene, body: just({ locationId: 'elsewhere' }) };
};
const answering =
  (status: number, of: SceneOf): SceneOf =>
  async (world) => {
    const scene = await of(world);
    world.hosting.behave = () => ({ status, body: '' });
    return scene;
  };
const asking = {
  functions_not_configured: bare,
  functions_credentials_refused: answering(401, reached),
  functions_provider_unavailable: answering(500, reached),
};
const disabling =
  (of: SceneOf): SceneOf =>
  async (world) => ({ ...(await of(world)), body: just({ enabled: false }) });

export const functionCases: Cases = {
  getFunctionSettings: { works: bare },
  updateFunctionSettings: {
    works: bare,
    refuses: {
      secret_needed_again: async (world) => ({
        ...(await reached(world)),
        body: just({ address: 'https://elsewhere.example' }),
      }),
      functions_active: async (world) => ({ ...(await active(world)), body: just({ credentials: null }) }),
      functions_changing: changing,
      functions_environment_full: async (world) => {
        const names = (first: number) =>
          Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`N${first + index}`, 'x']));
        return {
          params: { projectId: await stored(world, { environment: names(0) }) },
          body: just({ environment: names(60) }),
        };
      },
      functions_credentials_refused: disabling(answering(401, active)),
      functions_provider_unavailable: disabling(answering(500, active)),
    },
  },
  verifyFunctionCredentials: { works: reached },
  listFunctionResourcePackages: { works: reached, refuses: asking },
  listFunctionLocations: { works: reached, refuses: asking },
  activateFunctions: {
    works: ready,
    refuses: {
      functions_not_configured: bare,
      functions_credentials_refused: answering(401, ready),
      functions_provider_unavailable: answering(500, ready),
      functions_activation_refused: answering(422, ready),
      functions_changing: changing,
    },
  },
};
