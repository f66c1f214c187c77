import { lookup as lookUp } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { StageFailure } from '../../domain/staging.ts';

/** What is not on the public internet, by RFC 6890 and its successors: nobody's files are there but ours. */
const IPV4: readonly (readonly [net: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Of the sixth version all but the global unicast addresses, and of these what stands for others. */
const IPV6: readonly (readonly [net: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const NOT_PUBLIC = new BlockList();
for (const [net, bits] of IPV4) NOT_PUBLIC.addSubnet(net, bits, 'ipv4');
const SPECIAL = new BlockList();
for (const [net, bits] of IPV6) SPECIAL.addSubnet(net, bits, 'ipv6');
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');

/** Whether an address of IP is one that anybody may be sent to. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !NOT_PUBLIC.check(address, 'ipv4');
  return version === 6 && GLOBAL.check(address, 'ipv6') && !SPECIAL.check(address, 'ipv6');
}

/**
 * A host, or `host:port`, that the operator allows, spelt as those of addresses are; null where it is neither. A port
 * is the one that is asked, also where addresses leave it out.
 */
export function readAllowedHost(text: string): string | null {
  const [, host, port] = /^([^\s/:@?#\\*[\]]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === undefined || !URL.canParse(`http://${text}`)) return null;
  const { hostname } = new URL(`http://${text}`);
  return port === undefined ? hostname : `${hostname}:${Number(port)}`;
}

/**
 * Checks where an address leads as far as that can be seen in it: http or https, nobody's password, and no private
 * network unless the operator allows that host.
 * @param allowedHosts as `readAllowedHost` gives them
 * @returns whether its name has to be looked up by `lookUpPublic`
 * @throws StageFailure ADDRESS_REFUSED
 */
export function assertAddress(address: URL, allowedHosts: readonly string[]): boolean {
  const { protocol, username, password, hostname } = address;
  const isHttp = protocol === 'http:' || protocol === 'https:';
  if (!isHttp || username !== '' || password !== '') throw new StageFailure('ADDRESS_REFUSED', true);
  const port = address.port || (protocol === 'https:' ? '443' : '80');
  if (allowedHosts.includes(hostname) || allowedHosts.includes(`${hostname}:${port}`)) return false;
  const literal = hostname.replace(/^\[|\]$/g, '');
  if (isIP(literal) !== 0 && !isPublicAddress(literal)) throw new StageFailure('ADDRESS_REFUSED', true);
  return true;
}

/** Looks a name up as `dns.lookup` does, and refuses one that leads to a private network with any of its addresses. */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error ?? new Error('no address'), '', 0);
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new StageFailure('ADDRESS_REFUSED', true), '', 0);
    }
    if (options.all) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
