/** Scripts and styles of the pages, compressed by their build. */
import { join } from 'node:path';
import express, { type RequestHandler } from 'express';

const encodings = { br: '.br', gzip: '.gz' } as const;

/**
 * Serves the files of a build. Their names end in a hash of the content, so browsers keep them for good.
 *
 * @param folder of `bin/pages.mjs`
 */
export function hashedAssets(folder: string): RequestHandler {
  const send = express.static(join(folder, 'assets'), {
    ...{ index: false, redirect: false },
    setHeaders: (response, path) => {
      response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
      response.vary('Accept-Encoding');
      const [encoding] = Object.entries(encodings).find(([, end]) => path.endsWith(end)) ?? [];
      if (encoding === undefined) return;
      response.setHeader('Content-Encoding', encoding);
      response.type(/\.css\.\w+$/.test(path) ? 'css' : 'js');
    },
  });
  return (request, response, next) => {
    const { url } = request;
    const encoding = request.acceptsEncodings('br', 'gzip', 'identity');
    if ((encoding === 'br' || encoding === 'gzip') && /\.(js|css)$/.test(request.path))
      request.url = request.path + encodings[encoding];
    send(request, response, (error) => {
      request.url = url;
      next(error);
    });
  };
}
