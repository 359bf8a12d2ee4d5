import { describe, expect, it } from 'vitest';
import { Node } from '#src/engine/objects/node.js';
import { Lease } from '#src/engine/objects/policy.js';

const nodeWith = (cpu: unknown): object => ({ metadata: { name: 'n-a' }, status: { allocatable: { cpu } } });
const leaseAt = (renewTime: unknown): object => ({ metadata: { name: 'lock' }, spec: { renewTime } });

describe('an amount or a time that the API server cannot store', () => {
  it.each(['x', '', ' ', '١', '-5', '0x10', '1 Gi', '1e9999', 'Gi', '1'.repeat(200), true, [], {}])(
    'makes the object unreadable, and the field is named: %j cores',
    (cpu) => {
      expect(Node.safeParse(nodeWith(cpu)).error?.issues[0]?.path).toEqual(['status', 'allocatable', 'cpu']);
    },
  );

  it.each(['0', '+1', '.5', '5.', '1500m', '3Gi', '1e3', '1E-3', '16Ei', 4, 1.5])('reads %j cores', (cpu) => {
    expect(Node.safeParse(nodeWith(cpu)).success).toBe(true);
  });

  it.each(['x', '', '-5', '5', '2026-11-20', '2026-99-99T00:00:00Z', 9e15, {}])(
    'makes the object unreadable, and the field is named: renewed at %j',
    (at) => {
      expect(Lease.safeParse(leaseAt(at)).error?.issues[0]?.path).toEqual(['spec', 'renewTime']);
    },
  );

  it.each(['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.123456Z', '2026-11-20T18:30:00+09:00'])(
    'reads %s',
    (at) => {
      expect(Lease.safeParse(leaseAt(at)).success).toBe(true);
    },
  );
});
