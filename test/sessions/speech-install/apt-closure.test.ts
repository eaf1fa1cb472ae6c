import { describe, expect, it } from 'vitest';
import { packageClosure } from '../../../daemon/modules/sessions/speech-install/apt-closure.js';

/** Shortened from Debian 12. */
const depends = `pocketsphinx
  Depends: libc6
  Depends: libpocketsphinx3
  PreDepends: libsphinxbase3
libpocketsphinx3
  Depends: libc6
libsphinxbase3
 |Depends: libblas3
  Depends: <libblas.so.3>
    libatlas3-base
    libblas3
  Depends: libc6
 |Depends: <liblapack.so.3>
    liblapack3
    libopenblas0
  Depends: liblapack3
  Depends: libpulse0
libblas3
  Depends: <libfortran>
    libgfortran5
    libgfortran6
libgfortran5
  Depends: libquadmath0
libquadmath0
libc6
  Depends: libcrypt1
libpulse0
  Depends: libx11-6
libx11-6
`;

describe('packages needed by a program', () => {
  it('are the first alternatives and first providers, without what the system must have', () => {
    expect(packageClosure(depends, ['pocketsphinx'], new Set(['libc6', 'libpulse0']))).toEqual([
      'pocketsphinx',
      'libpocketsphinx3',
      'libsphinxbase3',
      'libblas3',
      'libgfortran5',
      'libquadmath0',
      'liblapack3',
    ]);
  });

  it('hold a root of which apt says nothing', () => {
    expect(packageClosure('', ['pocketsphinx-en-us'], new Set())).toEqual(['pocketsphinx-en-us']);
  });
});
