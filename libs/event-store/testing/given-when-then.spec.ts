import { describe, expect, test } from 'vitest';
import type { Decider } from '../core/decider.ts';
import { Rejected } from '@caravan/kernel/rejected';
import { specOf } from './given-when-then.ts';

type Lamp = { type: 'LampLit'; data: { by: string | null } } | { type: 'LampBroken'; data: object };

const lamp: Decider<'dark' | 'lit' | 'broken', 'light' | 'smash', Lamp> = {
  category: 'lamp',
  initial: 'dark',
  decide(command, state, { by }) {
    if (state === 'broken') throw new Rejected('lamp/broken', 'conflict', 'It is broken');
    if (command === 'smash') return [{ type: 'LampBroken', data: {} }];
    return state === 'lit' ? [] : [{ type: 'LampLit', data: { by } }];
  },
  evolve: (_, event) => (event.type === 'LampLit' ? 'lit' : 'broken'),
};
const given = specOf(lamp, { by: 'me' });
const lit: Lamp = { type: 'LampLit', data: { by: 'me' } };
const broken: Lamp = { type: 'LampBroken', data: {} };

describe('a spec of a decider', () => {
  test('passes when the rules say what it says', () => {
    given().when('light').then(lit);
    given(lit).when('light').thenNothing();
    given(lit).when('smash').then(broken);
    given(lit, broken).when('light').rejects('lamp/broken', 'conflict');
    given()
      .when('light', { by: 'you' })
      .then({ type: 'LampLit', data: { by: 'you' } });
  });

  test('fails when the rules say anything else', () => {
    expect(() => given().when('light').then(broken)).toThrow();
    expect(() => given().when('light').then(lit, lit)).toThrow();
    expect(() =>
      given()
        .when('light')
        .then({ type: 'LampLit', data: { by: 'you' } }),
    ).toThrow();
    expect(() => given().when('light').thenNothing()).toThrow();
    expect(() => given().when('light').rejects('lamp/broken')).toThrow();
    expect(() => given(broken).when('light').rejects('lamp/dark')).toThrow();
    expect(() => given(broken).when('light').rejects('lamp/broken', 'forbidden')).toThrow();
    expect(() => given(broken).when('light').thenNothing()).toThrow('It is broken');
  });
});
