/** The page of the API, `GET /docs`: shows `/api/openapi.json`, and tries operations with a credential that is typed in. */
import { baseUrl } from '../base.js';

interface ViewerOptions {
  readonly url: string;
  readonly dom_id: string;
  readonly deepLinking: boolean;
  readonly docExpansion: 'list' | 'none';
  readonly filter: boolean;
  /** Depth to which the list of schemas is unfolded. */
  readonly defaultModelsExpandDepth: 0;
  /** The viewer would ask a service on the internet to judge the document. */
  readonly validatorUrl: null;
}

declare global {
  interface Window {
    readonly SwaggerUIBundle: (options: ViewerOptions) => unknown;
  }
}

/** The viewer's dark colours go by a class of the root element. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

window.SwaggerUIBundle({
  url: `${baseUrl}/api/openapi.json`,
  dom_id: '#operations',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: 0, // each schema that is shown costs time, and operations show theirs
  validatorUrl: null,
});
