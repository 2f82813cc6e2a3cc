import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { Cli } from './shell/cli-reads.ts';

/** Where a read-only command of a CLI may connect to. Local git commands need no network. */
export const CLI_HOSTS: Readonly<Record<Cli, readonly string[]>> = {
  git: [],
  gh: ['github.com', '*.github.com', '*.githubusercontent.com', '*.ghe.com', '*.blob.core.windows.net'],
  aws: ['*.amazonaws.com', '*.amazonaws.com.cn', '*.api.aws', '*.awsapps.com', '*.aws.amazon.com'],
  az: [
    ...['*.azure.com', '*.azure.net', '*.windows.net', '*.microsoft.com', '*.microsoftonline.com', '*.azurecr.io'],
    ...['*.azurewebsites.net', '*.azure-api.net'],
  ],
};

/** Addresses that stand for this computer, its links and its cloud's metadata, by address and prefix length. */
const CLOSED_RANGES: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[] = [
  ['0.0.0.0', 8, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['224.0.0.0', 4, 'ipv4'],
  ['255.255.255.255', 32, 'ipv4'],
  ['100.100.100.200', 32, 'ipv4'],
  ['168.63.129.16', 32, 'ipv4'],
  ['192.0.0.192', 32, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
  ['fd00:ec2::', 32, 'ipv6'],
  ['fd20:ce::254', 128, 'ipv6'],
  // IPv4 addresses in other clothes: NAT64 and 6to4 could carry any of those above.
  ['64:ff9b::', 96, 'ipv6'],
  ['2002::', 16, 'ipv6'],
];

/** Names that mean this computer or its cloud's metadata, whatever they resolve to. */
const CLOSED_NAMES =
  /^(?:localhost|metadata|metadata\.google\.internal|instance-data(?:\..*)?)$|\.(?:localhost|local|internal)$/i;

/**
 * True for a host on the internet, by name or address. What a name resolves to is checked where the connection is made.
 */
export function isInternetHost(host: string): boolean {
  const bare = host.replace(/^\[|\]$|\.$/g, '');
  const family = isIP(bare);
  // A name that ends in a number is an address to some programs.
  if (family === 0) return !CLOSED_NAMES.test(bare) && !/(?:^|\.)(?:\d+|0x[\da-f]*)$/i.test(bare);
  const closed = new BlockList();
  for (const [address, prefix, type] of CLOSED_RANGES) closed.addSubnet(address, prefix, type);
  for (const each of Object.values(networkInterfaces()).flat()) {
    if (each) closed.addAddress(each.address, each.family === 'IPv6' ? 'ipv6' : 'ipv4');
  }
  return !closed.check(bare, family === 6 ? 'ipv6' : 'ipv4');
}
