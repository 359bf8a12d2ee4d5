import { describe, expect, it } from 'vitest';
import { createCollector } from '#src/edges/recordings/collect-objects.js';
import { RecordingError } from '#src/edges/recordings/recording-error.js';

const header = {
  apiVersion: 'rollout-doctor/v1',
  kind: 'Recording',
  takenAt: '2026-11-20T09:15:00Z',
  cluster: 'prod',
  namespace: '',
  salt: 'c0ffee00c0ffee00',
  unread: [],
};
const where = {
  shown: 'objects.json',
  place: { item: 0 },
  isOnlyFile: true,
} as const;

describe('the header of a recording', () => {
  it('is taken as the program writes it', () => {
    const collector = createCollector();
    collector.take(header, where);
    collector.take(
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n-a' }, status: { allocatable: {} } },
      where,
    );

    expect(collector.finish('objects.json').facts?.takenAt).toBe(header.takenAt);
  });

  it.each([
    ['a time that is none', { takenAt: [[]] }],
    ['a time in words', { takenAt: 'yesterday' }],
    ['no salt', { salt: undefined }],
  ])('is refused with %s, and nothing is diagnosed without it', (_, field) => {
    const collector = createCollector();

    expect(() => collector.take({ ...header, ...field }, where)).toThrow(RecordingError);
  });
});
