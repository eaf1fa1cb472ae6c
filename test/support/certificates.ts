/** Certificates as an operator would make them: by openssl, for 127.0.0.1, told apart by their common name. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

const openssl = 'openssl';
export const hasOpenssl = spawnSync(openssl, ['version']).status === 0;

/** Writes `cert.pem` and `key.pem` into the folder, over those that lie there. */
export function writeCertificate(folder: string, commonName: string): { cert: string; key: string } {
  const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  execFileSync(
    openssl,
    `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${commonName} -addext subjectAltName=IP:127.0.0.1 -keyout ${files.key} -out ${files.cert}`.split(
      ' ',
    ),
    { stdio: 'ignore' },
  );
  return files;
}
