import { describe, expect, it } from 'vitest';
import { openerOn } from '../../../../demo/live/open-in-browser.js';

describe('the demo opens the browser', () => {
  it.each([
    ['on a desktop', 'linux', { DISPLAY: ':0' }, 'xdg-open'],
    ['on a desktop with Wayland', 'linux', { WAYLAND_DISPLAY: 'wayland-0' }, 'xdg-open'],
    ['on macOS', 'darwin', {}, 'open'],
    ['nowhere without a display', 'linux', {}, undefined],
    ['nowhere over SSH', 'linux', { DISPLAY: ':10', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, undefined],
    ['nowhere in CI', 'linux', { DISPLAY: ':0', CI: 'true' }, undefined],
  ] as const)('%s', (_, platform, env, program) => {
    expect(openerOn({ platform, env })).toBe(program);
  });
});
