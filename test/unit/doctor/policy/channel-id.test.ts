import { expect, it } from 'vitest';
import { ChannelId } from '#src/doctor/policy/group-names.js';

it.each(['C012ABCDEF', 'G01', `C${'A'.repeat(20)}`])('accepts the id %s of a channel', (id) => {
  expect(ChannelId.safeParse(id).success).toBe(true);
});

it.each([
  ['a direct conversation', 'D012ABCDEF'],
  ['a name', '#ops'],
  ['small letters', 'C012abcdef'],
  ['an id that is too short', 'C0'],
  ['an id that is too long', `C${'A'.repeat(21)}`],
  ['an id behind other letters', 'xC012ABCDEF'],
  ['a mention', 'C012ABCDEF|ops'],
])('refuses %s', (_, text) => {
  expect(ChannelId.safeParse(text).success).toBe(false);
});
