import { describe, expect, it } from 'vitest';
import { isOwnLimit } from '#src/doctor/causes/evicted.js';
import { pullRefusalOf } from '#src/doctor/causes/image-pull-failure/refusal.js';
import { heldVolumeIn } from '#src/doctor/causes/volume-attach-deadlock/held-volume.js';
import { probeIn } from '#src/doctor/findings/crashes/probe-kill-sign.js';
import {
  causeOfRefusal,
  isLimitTooLow,
  isMountRefused,
  isWorkingDirRefused,
} from '#src/doctor/findings/crashes/runtime-refusal.js';
import { type OutsideWordingId, outsideWordings } from '#src/doctor/findings/outside-wordings.js';

/** How the rule that depends on a wording reads it. */
const readers: Readonly<Record<OutsideWordingId, (text: string) => boolean>> = {
  'volume-held-elsewhere': (text) => heldVolumeIn(text) === 'pv-data',
  'probe-kill': (message) => probeIn({ message }) !== undefined,
  'limit-too-low': (message) => isLimitTooLow(message),
  'init-pipe-ended': (message) => isLimitTooLow(message, '6Mi') && !isLimitTooLow(message, '12Mi'),
  'command-refused': (text) =>
    causeOfRefusal(text) === 'bad-command' && !isWorkingDirRefused(text, undefined),
  'working-directory-refused': (text) => isWorkingDirRefused(text, '/etc/passwd'),
  'own-storage-limit': isOwnLimit,
  'mount-refused': isMountRefused,
  'other-content': (text) => pullRefusalOf('ErrImagePull', [text]) === 'other-content',
};

const ids = Object.keys(outsideWordings).filter((id): id is OutsideWordingId => id in readers);
const all = ids.flatMap((id) => outsideWordings[id].map((wording) => ({ id, ...wording })));

describe('a sentence of another program that a rule depends on', () => {
  it('is read for each wording in the list', () => {
    expect(ids).toEqual(Object.keys(outsideWordings));
  });

  it.each(all)('$id is read as $writer writes it $versions: $example', ({ id, example }) => {
    expect(readers[id](example)).toBe(true);
  });

  it.each(all)('matches $id and no other wording: $example', ({ id, example }) => {
    const others = ids.filter((other) => other !== id && readers[other](example));
    expect(others).toEqual([]);
  });

  it.each([
    ['128m', true],
    ['512Mi', false],
    [undefined, false],
  ])('takes a limit of %s that the kernel refuses as invalid for too low: %s', (limit, isLow) => {
    const message =
      'runc create failed: unable to apply cgroup configuration: failed to write 1: write /sys/fs/cgroup/memory/kubepods/x/memory.limit_in_bytes: invalid argument: unknown';
    expect(isLimitTooLow(message, limit)).toBe(isLow);
  });

  it.each([
    ['20M', 'sandbox-failure'],
    [undefined, 'sandbox-failure'],
    ['4Mi', 'out-of-memory'],
  ])('takes a pipe that ends at a limit of %s for no refusal of the command: %s', (memory, cause) => {
    const message =
      "OCI runtime create failed: container_linux.go:370: starting container process caused: process_linux.go:338: getting the final child's pid from pipe caused: EOF: unknown";
    const limits: Record<string, string> = memory === undefined ? {} : { memory };
    expect(causeOfRefusal(message, { resources: { limits } })).toBe(cause);
  });
});
