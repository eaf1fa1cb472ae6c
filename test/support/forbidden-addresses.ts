/** Hundreds of ways to write addresses that nobody outside may reach, all with the same port. */

const forbiddenIpv4 = [
  ...['127.0.0.1', '127.255.255.254', '0.0.0.0', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['169.254.169.254', '100.64.0.1', '192.0.0.8', '198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
];
const forbiddenIpv6 = [
  ...['::', '::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', 'fe80::1', 'febf::1', 'fc00::1'],
  ...['fd12:3456::1', 'fec0::1', 'ff02::1', 'ff0e::1', '100::1', '2001::7f00:1', '2001:2::1', '2001:db8::1'],
  ...['3fff::1', '5f00::1', '4000::1', '64:ff9b:1::1', 'fd00:ec2::254'],
];
const forbiddenNames = ['localhost', 'LOCALHOST', 'localhost.', 'game.localhost', 'ｌｏｃａｌｈｏｓｔ'];

const fullWidth = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const enclosed = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCodePoint(digit === '0' ? 0x24ea : 0x2460 + Number(digit) - 1));
const escaped = (text: string): string => text.replaceAll(/\d/g, (digit) => `%3${digit}`);

/** Hosts, as they stand in a URL. */
function spellings(address: string): string[] {
  const octets = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  const number = ((a * 256 + b) * 256 + c) * 256 + d;
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const [high, low] = [hex(a * 256 + b, 4), hex(c * 256 + d, 4)];
  return [
    ...[
      address,
      `${address}.`,
      `${number}`,
      `0${number.toString(8)}`,
      `0x${hex(number, 8)}`,
      `0X${hex(number, 8).toUpperCase()}`,
    ],
    ...[
      octets.map((octet) => `0${octet.toString(8)}`).join('.'),
      octets.map((octet) => `0x${hex(octet, 2)}`).join('.'),
    ],
    ...[`${a}.${(b * 256 + c) * 256 + d}`, `${a}.${b}.${c * 256 + d}`, `0x${hex(a, 2)}.0${b.toString(8)}.${c}.${d}`],
    ...[
      fullWidth(address),
      enclosed(address),
      escaped(address),
      address.replaceAll('.', '。'),
      address.replaceAll('.', '．'),
    ],
    ...[`[::ffff:${address}]`, `[::ffff:${high}:${low}]`, `[0:0:0:0:0:ffff:${high}:${low}]`, `[::FFFF:${address}]`],
    ...[`[::${address}]`, `[64:ff9b::${address}]`, `[64:ff9b::${high}:${low}]`, `[64:ff9b:1::${address}]`],
    ...[`[2002:${high}:${low}::]`, `[2002:${high}:${low}::1]`, `[2606:4700::5efe:${address}]`],
    `[2606:4700::200:5efe:${high}:${low}]`,
  ];
}

/** Addresses that lead to `port` where no guard stands. */
export function forbiddenUrls(port: number): string[] {
  const hosts = [
    ...forbiddenIpv4.flatMap(spellings),
    ...forbiddenIpv6.map((address) => `[${address}]`),
    ...forbiddenNames,
  ];
  const plain = hosts.map((host) => `http://${host}:${port}/hook`);
  const dressed = ['user@127.0.0.1', 'user:secret@127.0.0.1', 'example.com@127.0.0.1', 'example.com%40@127.0.0.1'];
  return [...plain, ...dressed.map((host) => `http://${host}:${port}/hook`), `https://127.0.0.1:${port}/`];
}
