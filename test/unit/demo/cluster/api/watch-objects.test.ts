import { describe, expect, it } from 'vitest';
import { parseListOptions } from '../../../../../demo/cluster/api/list-options.js';
import { watchObjects } from '../../../../../demo/cluster/api/watch-objects.js';
import { type JsonObject, textAt } from '../../../../../demo/cluster/json.js';
import { requireResourceType } from '../../../../../demo/cluster/resources/resource-types.js';
import { create, patch, pod, type TestCluster, testCluster } from '../builders.js';

const pods = requireResourceType('', 'pods');

interface Watched {
  readonly events: string[];
  readonly objects: JsonObject[];
  readonly stop: () => void;
}

function watch({ state }: TestCluster, query: Readonly<Record<string, string>>, namespace = 'shop'): Watched {
  const events: string[] = [];
  const objects: JsonObject[] = [];
  const options = parseListOptions(pods, new URLSearchParams({ watch: '1', ...query }));
  const stop = watchObjects(state.registry, pods, namespace, options, (type, object) => {
    events.push(`${type} ${textAt(object, 'metadata', 'name') ?? textAt(object, 'message') ?? ''}`.trim());
    objects.push(object);
  });
  return { events, objects, stop };
}

describe('a watch', () => {
  it('without a version sends the existing objects, then the changes', () => {
    const cluster = testCluster();
    const made = create(cluster.state, pod('a'));
    const { events, stop } = watch(cluster, {});
    patch(cluster.state, made, (object) => ({ ...object, status: { phase: 'Running' } }), 'status');
    cluster.state.registry.store.remove(pods.storage, 'shop/a');
    stop();
    create(cluster.state, pod('b'));
    expect(events).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a']);
  });

  it('from a version sends the changes since then', () => {
    const cluster = testCluster();
    const made = create(cluster.state, pod('a'));
    create(cluster.state, pod('b'));
    const { events } = watch(cluster, { resourceVersion: made.metadata.resourceVersion });
    expect(events).toEqual(['ADDED b']);
  });

  it('sends ADDED for an object that enters the selection and DELETED for one that leaves it', () => {
    const cluster = testCluster();
    const made = create(cluster.state, pod('a', { app: 'web' }));
    const { events, objects } = watch(cluster, { labelSelector: 'app=api' });
    const relabel = (app: string) =>
      patch(cluster.state, made, (object) => ({
        ...object,
        metadata: { ...(object.metadata as JsonObject), labels: { app } },
      }));
    relabel('api');
    relabel('web');
    expect(events).toEqual(['ADDED a', 'DELETED a']);
    expect(textAt(objects[1], 'metadata', 'labels', 'app')).toBe('api');
    expect(textAt(objects[1], 'metadata', 'resourceVersion')).toBe(
      String(cluster.state.registry.store.revision),
    );
  });

  it('sends only the objects of its namespace', () => {
    const cluster = testCluster();
    const { events } = watch(cluster, {}, 'other');
    create(cluster.state, pod('a'));
    expect(events).toEqual([]);
  });

  it('from a compacted version sends a 410 as an ERROR event', () => {
    const cluster = testCluster();
    const made = create(cluster.state, pod('a'));
    create(cluster.state, pod('b'));
    cluster.state.registry.store.compact();
    const { objects, events } = watch(cluster, { resourceVersion: made.metadata.resourceVersion });
    expect(events[0]).toMatch(/^ERROR too old resource version: \d+ \(\d+\)$/);
    expect(objects[0]).toMatchObject({ kind: 'Status', code: 410, reason: 'Expired' });
  });

  it('ends the initial events with an annotated bookmark', () => {
    const cluster = testCluster();
    create(cluster.state, pod('a'));
    const { events, objects } = watch(cluster, {
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    expect(events).toEqual(['ADDED a', 'BOOKMARK']);
    expect(objects[1]).toMatchObject({
      kind: 'Pod',
      metadata: {
        resourceVersion: String(cluster.state.registry.store.revision),
        annotations: { 'k8s.io/initial-events-end': 'true' },
      },
    });
  });

  it('sends bookmarks while nothing changes, if requested', () => {
    const cluster = testCluster();
    const wanted = watch(cluster, { allowWatchBookmarks: 'true' });
    const unwanted = watch(cluster, {});
    cluster.clock.advance(130_000);
    expect(wanted.events).toEqual(['BOOKMARK', 'BOOKMARK']);
    expect(unwanted.events).toEqual([]);
  });
});
