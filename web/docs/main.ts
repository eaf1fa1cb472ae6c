/** The page of the API, `GET /docs`: shows `/api/openapi.json`, and tries operations with a credential that is typed in. */
interface ViewerOptions {
  readonly url: string;
  readonly dom_id: string;
  readonly deepLinking: boolean;
  readonly docExpansion: 'list' | 'none';
  readonly filter: boolean;
  /** The viewer would ask a service on the internet to judge the document. */
  readonly validatorUrl: null;
}

declare global {
  interface Window {
    readonly SwaggerUIBundle: (options: ViewerOptions) => unknown;
  }
}

window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#operations',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
});
