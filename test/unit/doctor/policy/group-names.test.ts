import { describe, expect, it } from 'vitest';
import {
  groupIdOf,
  groupNamesByMember,
  groupProblem,
  type ListedGroup,
} from '#src/doctor/policy/group-names.js';

const group = (id: string, handle: string, fields: Partial<ListedGroup> = {}): ListedGroup => ({
  id,
  handle,
  isDisabled: false,
  isExternal: false,
  members: ['U1'],
  ...fields,
});

describe('the names by which a policy can name a group', () => {
  it.each<[string, readonly ListedGroup[], readonly string[] | undefined]>([
    ['are its id and its handle', [group('S1', 'oncall')], ['S1', 'oncall']],
    [
      'are ids alone where two groups share a handle',
      [group('S1', 'oncall'), group('S2', 'oncall')],
      ['S1', 'S2'],
    ],
    [
      'are ids alone where handles differ in case',
      [group('S1', 'oncall'), group('S2', 'OnCall', { members: [] })],
      ['S1'],
    ],
    [
      'are ids alone where an external group has the handle too',
      [group('S1', 'oncall'), group('S2', 'oncall', { isExternal: true })],
      ['S1'],
    ],
    [
      'are id and handle where the other group of that handle is disabled',
      [group('S1', 'oncall'), group('S2', 'oncall', { isDisabled: true })],
      ['S1', 'oncall'],
    ],
    ['are none for a disabled group', [group('S1', 'oncall', { isDisabled: true })], undefined],
    ['are none for an external group', [group('S1', 'oncall', { isExternal: true })], undefined],
    ['are the id alone where the handle looks like an id', [group('S1', 'S2')], ['S1']],
  ])('%s', (_, groups, names) => {
    expect(groupNamesByMember(groups).get('U1')).toEqual(names);
  });
});

describe('a group that a policy names', () => {
  const groups = [
    group('S1', 'oncall'),
    group('S2', 'shared'),
    group('S3', 'shared'),
    group('S4', 'old', { isDisabled: true }),
    group('S5', 'partner', { isExternal: true }),
  ];

  it.each([
    ['S1', undefined],
    ['oncall', undefined],
    ['shared', 'ambiguous'],
    ['S2', undefined],
    ['old', 'disabled'],
    ['S4', 'disabled'],
    ['partner', 'external'],
    ['S5', 'external'],
    ['none', 'unknown'],
    ['OnCall', 'unknown'],
    ['S9', 'unknown'],
  ])('%s: %s', (name, problem) => {
    expect(groupProblem(name, groups)).toBe(problem);
  });
});

describe('the id of a group that a policy names', () => {
  const groups = [
    group('S0', 'oncall', { isDisabled: true }),
    group('S1', 'oncall'),
    group('S2', 'other'),
    group('S3', 'partner', { isExternal: true }),
  ];

  it.each([
    ['oncall', 'S1'],
    ['S1', 'S1'],
    ['S2', 'S2'],
    ['S0', undefined],
    ['partner', undefined],
    ['none', undefined],
  ])('%s: %s', (name, id) => {
    expect(groupIdOf(name, groups)).toBe(id);
  });
});
