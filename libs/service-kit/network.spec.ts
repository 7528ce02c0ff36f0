import { expect, test } from 'vitest';
import { networkOf } from './network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['no address', 'no address'],
  ['1:2:3', '1:2:3'],
])('[S25] %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('[S25] addresses of one /64 count as one, those of the next as another', () => {
  const inside = ['2001:db8:a:b::1', '2001:db8:a:b:ffff:ffff:ffff:ffff', '2001:0db8:000a:000b:0:0:1.2.3.4'];
  expect(new Set(inside.map(networkOf)).size).toBe(1);
  expect(networkOf('2001:db8:a:c::1')).not.toBe(networkOf('2001:db8:a:b::1'));
});
