import { describe, expect, it } from 'vitest';
import { withoutPreamble } from '#src/edges/slack/render/card-excerpt.js';

/**
 * A card has room for a line or two of log: what every line begins with would take the place of the reason.
 */
describe('the line of a log on a card', () => {
  it.each([
    [
      'level=fatal msg="io_uring_setup: operation not permitted" hint="kernel.io_uring_disabled=2"',
      'io_uring_setup: operation not permitted hint="kernel.io_uring_disabled=2"',
    ],
    ['msg="open \\"a.yaml\\": no such file"', 'open "a.yaml": no such file'],
    ['time="2026-11-20T09:29:17Z" level=error msg="dial tcp: refused"', 'dial tcp: refused'],
    ['2026-11-20T09:29:17.123456Z panic: no such file', 'panic: no such file'],
    ['2026-11-20 09:29:17,123 ERROR no route', 'ERROR no route'],
    ['[2026/11/20 09:29:17] bind: address in use', 'bind: address in use'],
    ['panic: open /dev/shm/cache', 'panic: open /dev/shm/cache'],
    ['2026-11-20 is the date of the migration', '2026-11-20 is the date of the migration'],
    ['level=fatal', 'level=fatal'],
  ])('shows of %s what differs from line to line', (line, shown) => {
    expect(withoutPreamble(line)).toBe(shown);
  });
});
