/** Certificates as an operator would make them: by openssl, for 127.0.0.1, ::1 and localhost, told apart by their common name. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const openssl = 'openssl';
export const hasOpenssl = spawnSync(openssl, ['version']).status === 0;

const run = (folder: string, command: string): void => {
  execFileSync(openssl, command.split(' '), { cwd: folder, stdio: 'ignore' });
};
const asn1Time = (at: Date): string => at.toISOString().replace(/[-:T]|\.\d+/g, '');
const extension = 'subjectAltName=IP:127.0.0.1,IP:::1,DNS:localhost';

/** Writes `cert.pem` and `key.pem` into the folder, over those that lie there. */
export function writeCertificate(
  folder: string,
  commonName: string,
  { from, to }: { readonly from: Date; readonly to: Date } = {
    from: new Date(),
    to: new Date(Date.now() + 2 * 86_400_000),
  },
): { cert: string; key: string } {
  const key = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem';
  run(folder, `req -new ${key} -subj /CN=${commonName} -addext ${extension} -out request.pem`);
  // `req -x509` knows no certificate that has ended.
  writeFileSync(join(folder, 'index.txt'), '');
  writeFileSync(
    join(folder, 'ca.cnf'),
    '[a]\ndatabase=index.txt\nrand_serial=yes\ndefault_md=sha256\npolicy=p\ncopy_extensions=copy\n[p]\ncommonName=supplied\n',
  );
  const dates = `-startdate ${asn1Time(from)} -enddate ${asn1Time(to)}`;
  run(
    folder,
    `ca -selfsign -batch -notext -config ca.cnf -name a -outdir . ${dates} -keyfile key.pem -in request.pem -out cert.pem`,
  );
  return { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
}
