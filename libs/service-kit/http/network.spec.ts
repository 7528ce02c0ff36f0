import { expect, test } from 'vitest';
import { isPublicAddress, networkOf } from './network.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7%eth0', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['no address', 'no address'],
  ['1:2:3', '1:2:3'],
  ['1234', '1234'],
])('[S25] %s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('[S25] addresses of one /64 count as one, those of the next as another', () => {
  const inside = ['2001:db8:a:b::1', '2001:db8:a:b:ffff:ffff:ffff:ffff', '2001:0db8:000a:000b:0:0:1.2.3.4'];
  expect(new Set(inside.map(networkOf)).size).toBe(1);
  expect(networkOf('2001:db8:a:c::1')).not.toBe(networkOf('2001:db8:a:b::1'));
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '198.19.0.1',
  '::1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'fd00::1',
  'ff02::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '0:0:0:0:0:ffff:10.0.0.1',
  '::ffff:169.254.169.254',
  '::ffff:100.64.0.1',
  '[::ffff:7f00:1]',
  '::ffff:0:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001:db8::1',
  '2001::1',
  'fec0::1',
  '4000::1',
  '127.1',
  '134744072',
  '0x8.8.8.8',
  '[::1]',
  'localhost',
  'example.org',
  '',
])('[S30] %s is no address of the open internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '[2606:4700::1111]', '::ffff:8.8.8.8'])(
  '[S30] %s is an address of the open internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
  },
);
