import { describe, expect, it } from 'vitest';
import { type Annotated, SentinelSettings, wantedFor } from '#src/doctor/sentinel/sentinel-settings.js';

const on = { 'rollout-doctor.dev/sentinel': 'on' };
const off = { 'rollout-doctor.dev/sentinel': 'off' };
const to = (channel: string) => ({ 'rollout-doctor.dev/channel': channel });
const none = {};

function wanted(annotated: Partial<Annotated>, settings: unknown = {}, namespace = 'shop') {
  const full = { workload: none, namespace: none, ...annotated };
  return wantedFor(namespace, full, SentinelSettings.parse(settings), 'C0DEFAULT');
}

describe('watching a workload', () => {
  const optIn = { namespaces: { mode: 'none' } };
  it.each<[string, unknown, Partial<Annotated>, boolean]>([
    ['is on by default', {}, {}, true],
    ['is off by default where only annotated workloads are watched', optIn, {}, false],
    [
      'is on in a namespace that is an exception',
      { namespaces: { mode: 'none', except: ['sh*'] } },
      {},
      true,
    ],
    ['is off in an excluded namespace', { namespaces: { except: ['shop'] } }, {}, false],
    ['is off by the namespace before the settings', {}, { namespace: off }, false],
    ['is on by the namespace where the settings turn it off', optIn, { namespace: on }, true],
    ['is on by the workload before the namespace', {}, { namespace: off, workload: on }, true],
    [
      'is off by the workload where the settings and the namespace turn it on',
      {},
      { namespace: on, workload: off },
      false,
    ],
  ])('%s', (_, settings, annotated, expected) => {
    expect(wanted(annotated, settings)).toMatchObject({ isWatched: expected, ignored: [] });
  });

  it.each(['ON', 'true', 'on ', '', 'off\n', 'on,off'])('is not affected by the annotation %j', (value) => {
    const annotated = { workload: { 'rollout-doctor.dev/sentinel': value }, namespace: off };

    expect(wanted(annotated)).toMatchObject({
      isWatched: false,
      ignored: [{ on: 'workload', because: 'neither on nor off' }],
    });
  });

  it('matches patterns with the whole name', () => {
    const settings = { namespaces: { except: ['kube-*', '*-test'] } };

    expect(
      ['kube-system', 'web-test', 'kube', 'tests'].map((name) => wanted({}, settings, name).isWatched),
    ).toEqual([false, false, true, true]);
  });
});

describe('the channel of a sentinel message', () => {
  const settings = { channels: ['C0TEAM', 'C0OTHER'] };
  it.each<[string, Partial<Annotated>, string]>([
    ['is the default channel', {}, 'C0DEFAULT'],
    ["is the namespace's", { namespace: to('C0TEAM') }, 'C0TEAM'],
    [
      "is the workload's before the namespace's",
      { workload: to('C0OTHER'), namespace: to('C0TEAM') },
      'C0OTHER',
    ],
    [
      'may be the default channel by name',
      { workload: to('C0DEFAULT'), namespace: to('C0TEAM') },
      'C0DEFAULT',
    ],
  ])('%s', (_, annotated, channel) => {
    expect(wanted(annotated, settings)).toMatchObject({ channel, ignored: [] });
  });

  it.each([
    ['C0BOARDROOM', 'not among the channels of the settings'],
    ['#incidents', 'not the id of a channel'],
    ['<!channel>', 'not the id of a channel'],
    ['C0TEAM,C0OTHER', 'not the id of a channel'],
    ['C0TEAM\n', 'not the id of a channel'],
    ['', 'not the id of a channel'],
    [`C${'A'.repeat(10_000)}`, 'not the id of a channel'],
  ])('is never set by the annotation %j', (value, because) => {
    const annotated = { workload: to(value), namespace: to('C0TEAM') };

    expect(wanted(annotated, settings)).toMatchObject({
      channel: 'C0TEAM',
      ignored: [{ on: 'workload', because }],
    });
  });

  it('is only the default channel where the settings list none', () => {
    expect(wanted({ workload: to('C0TEAM') }).channel).toBe('C0DEFAULT');
  });
});
