import type { ApiObject } from '../api-object.js';
import { apiMicroTime, apiTime } from '../api-time.js';
import { copy, type JsonObject, numberAt, setAt, textAt } from '../json.js';
import { createObject } from '../registry/create-object.js';
import type { Registry } from '../registry/registry.js';
import { updateObject } from '../registry/update-object.js';
import { requireResourceType } from '../resources/resource-types.js';
import { attempt } from './controller-writes.js';

export interface EventNote {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly component: string;
  /** The kubelet's node. */
  readonly host?: string;
  /** `spec.containers{app}`. */
  readonly fieldPath?: string;
}

export interface EventRecorder {
  /** As client-go's core recorder: the same words about the same object raise the count of one Event. */
  record(about: ApiObject, note: EventNote): void;
  /**
   * As the scheduler's recorder (`events.k8s.io`): one series an object and reason, which keeps its first
   * words.
   */
  recordSeries(about: ApiObject, note: EventNote & { readonly action: string }): void;
}

/** The API server keeps an Event for an hour after its last write. */
const eventLifeMs = 60 * 60_000;

const events = requireResourceType('', 'events');
const writer = { manager: 'event-recorder', user: 'system:event-recorder', dryRun: false };

export function createEventRecorder(registry: Registry): EventRecorder {
  const { store, clock } = registry;
  let serial = 0;
  const nameOf = ({ metadata }: ApiObject): string => {
    serial += 1;
    return `${metadata.name}.${(BigInt(clock.now()) * 1_000_000n + BigInt(serial)).toString(16)}`;
  };
  const find = (about: ApiObject, isSame: (event: ApiObject) => boolean): ApiObject | undefined =>
    store
      .list(events.storage)
      .find((event) => textAt(event, 'involvedObject', 'uid') === about.metadata.uid && isSame(event));

  function expireAfterLife(event: ApiObject): void {
    const { namespace = 'default', name } = event.metadata;
    const check = (): void => {
      const current = store.get(events.storage, `${namespace}/${name}`);
      if (current === undefined) return;
      const until = Date.parse(lastSeenOf(current)) + eventLifeMs;
      if (until > clock.now()) clock.at(until, check);
      else store.remove(events.storage, `${namespace}/${name}`);
    };
    clock.at(clock.now() + eventLifeMs, check);
  }

  function write(about: ApiObject, event: JsonObject): void {
    const namespace = about.metadata.namespace ?? 'default';
    const body = {
      ...event,
      metadata: { name: nameOf(about), namespace },
      involvedObject: referenceTo(about, event),
    };
    attempt(() => expireAfterLife(createObject(registry, events, namespace, body, writer)));
  }

  function rewrite(event: ApiObject, fields: readonly (readonly [readonly string[], unknown])[]): void {
    const { namespace = 'default', name } = event.metadata;
    updateObject(
      registry,
      events,
      namespace,
      name,
      (current) => {
        const changed = copy<JsonObject>(current);
        for (const [path, value] of fields) setAt(changed, path, value);
        return changed;
      },
      { ...writer, subresource: '', replaces: false },
    );
  }

  return {
    record(about, { type, reason, message, component, host, fieldPath }) {
      const time = apiTime(clock.now());
      const same = find(
        about,
        (event) =>
          event.reason === reason &&
          event.message === message &&
          textAt(event, 'source', 'component') === component &&
          textAt(event, 'involvedObject', 'fieldPath') === fieldPath,
      );
      if (same !== undefined) {
        rewrite(same, [
          [['count'], (numberAt(same, 'count') ?? 1) + 1],
          [['lastTimestamp'], time],
        ]);
        return;
      }
      write(about, {
        reason,
        message,
        type,
        source: { component, ...(host === undefined ? {} : { host }) },
        firstTimestamp: time,
        lastTimestamp: time,
        count: 1,
        eventTime: null,
        reportingComponent: component,
        reportingInstance: host ?? '',
        ...(fieldPath === undefined ? {} : { involvedObject: { fieldPath } }),
      });
    },
    recordSeries(about, { type, reason, message, component, action }) {
      const time = apiMicroTime(clock.now());
      const same = find(about, (event) => event.reason === reason && event.reportingComponent === component);
      if (same !== undefined) {
        const count = (numberAt(same, 'series', 'count') ?? 1) + 1;
        rewrite(same, [[['series'], { count, lastObservedTime: time }]]);
        return;
      }
      write(about, {
        reason,
        message: message.length > 1024 ? `${message.slice(0, 1020)} ...` : message,
        type,
        source: {},
        firstTimestamp: null,
        lastTimestamp: null,
        eventTime: time,
        action,
        reportingComponent: component,
        reportingInstance: `${component}-local`,
      });
    },
  };
}

function referenceTo(about: ApiObject, event: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion } = about.metadata;
  const fieldPath = textAt(event, 'involvedObject', 'fieldPath');
  return {
    kind: about.kind,
    ...(namespace === undefined ? {} : { namespace }),
    name,
    uid,
    apiVersion: about.apiVersion,
    resourceVersion,
    ...(fieldPath === undefined ? {} : { fieldPath }),
  };
}

function lastSeenOf(event: ApiObject): string {
  return (
    textAt(event, 'series', 'lastObservedTime') ??
    textAt(event, 'lastTimestamp') ??
    textAt(event, 'eventTime') ??
    event.metadata.creationTimestamp
  );
}
