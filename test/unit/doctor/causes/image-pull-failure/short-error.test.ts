import { expect, it } from 'vitest';
import { shortPullError } from '#src/doctor/causes/image-pull-failure/text.js';

const image = 'registry.example/web:1.1';
const wrapper = 'ErrImagePull: ';
const many = wrapper.repeat(10_000);

it.each([
  [
    'of containerd',
    `Failed to pull image "${image}": rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
    `${image}: not found`,
  ],
  ['without a wrapper', 'toomanyrequests: slow down', 'toomanyrequests: slow down'],
  ['that is a wrapper only', wrapper, wrapper],
  ['with many wrappers, of which ten are removed', many, many.slice(10 * wrapper.length)],
])('the reason of an error %s', (_, message, reason) => {
  expect(shortPullError(message)).toBe(reason);
});
