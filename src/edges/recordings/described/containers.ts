import {
  amountsOf,
  type Field,
  type Fields,
  fieldOf,
  fieldsOf,
  indentOf,
  partsOf,
  statedIn,
  textOf,
  timeOf,
  valuesOf,
} from './fields.js';

export const containerKeys: ReadonlySet<string> = new Set([
  'Container ID',
  'Image',
  'Image ID',
  'Port',
  'Ports',
  'Host Port',
  'Host Ports',
  'SeccompProfile',
  'Command',
  'Args',
  'State',
  'Last State',
  'Ready',
  'Restart Count',
  'Limits',
  'Requests',
  'Liveness',
  'Readiness',
  'Startup',
  'Environment Variables from',
  'Environment',
  'Mounts',
  'Devices',
]);
export const stateKeys: ReadonlySet<string> = new Set([
  'Reason',
  'Message',
  'Exit Code',
  'Signal',
  'Started',
  'Finished',
]);

interface DescribedContainer {
  readonly container: Readonly<Record<string, unknown>>;
  /** Absent in a pod template, and before the kubelet has written one. */
  readonly status: Readonly<Record<string, unknown>> | undefined;
}

/** The containers below a field such as `Init Containers`. */
export function containersOf(field: Field | undefined): readonly DescribedContainer[] {
  if (field === undefined) return [];
  return partsOf(field).map(({ name, lines }) => {
    const fields = fieldsOf(lines, (key) => containerKeys.has(key));
    return { container: containerOf(name, fields), status: statusOf(name, fields) };
  });
}

function containerOf(name: string, fields: Fields): Readonly<Record<string, unknown>> {
  return {
    name,
    image: statedIn(fields, 'Image') ?? '',
    ports: portsOf(fields),
    // Words of several lines cannot be told from several words.
    command: valuesOf(fieldOf(fields, 'Command')),
    args: valuesOf(fieldOf(fields, 'Args')),
    resources: {
      limits: amountsOf(fieldOf(fields, 'Limits')),
      requests: amountsOf(fieldOf(fields, 'Requests')),
    },
    livenessProbe: probeOf(statedIn(fields, 'Liveness')),
    readinessProbe: probeOf(statedIn(fields, 'Readiness')),
    startupProbe: probeOf(statedIn(fields, 'Startup')),
    envFrom: valuesOf(fieldOf(fields, 'Environment Variables from')).flatMap(envFromOf),
    env: envOf(fieldOf(fields, 'Environment')),
    volumeMounts: valuesOf(fieldOf(fields, 'Mounts')).flatMap(mountOf),
  };
}

function portsOf(fields: Fields): readonly object[] {
  const hosts = (statedIn(fields, 'Host Ports', 'Host Port') ?? '').split(',').map(portOf);
  return (statedIn(fields, 'Ports', 'Port') ?? '').split(',').flatMap((text, at) => {
    const port = portOf(text);
    if (port === undefined) return [];
    const { number: containerPort, protocol, name } = port;
    const hostPort = hosts[at]?.number ?? 0;
    return [
      { containerPort, protocol, ...(name !== undefined && { name }), ...(hostPort > 0 && { hostPort }) },
    ];
  });
}

function portOf(text: string) {
  const [, number, protocol, name] = /^(\d{1,5})\/([A-Z]+)(?: \(([^)]*)\))?$/u.exec(text.trim()) ?? [];
  return number === undefined ? undefined : { number: Number(number), protocol, name };
}

/** `http-get http://:8080/healthz delay=5s timeout=1s period=10s #success=1 #failure=3`. */
function probeOf(text: string | undefined): object | undefined {
  if (text === undefined) return undefined;
  const [, what = '', rest = ''] = /^(exec|http-get|tcp-socket|grpc|unknown)\s(.*)$/u.exec(text) ?? [];
  if (what === '') return undefined;
  const words = rest.split(/\s/u);
  const number = (...names: readonly string[]): number | undefined => {
    for (const name of names) {
      const stated = words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
      const found = stated === undefined ? undefined : /^(\d{1,9})s?$/u.exec(stated)?.[1];
      if (found !== undefined) return Number(found);
    }
    return undefined;
  };
  const times = {
    initialDelaySeconds: number('delay'),
    timeoutSeconds: number('timeout'),
    periodSeconds: number('period'),
    successThreshold: number('successThreshold', '#success'),
    failureThreshold: number('failureThreshold', '#failure'),
  };
  const delayAt = rest.search(/\sdelay=\d/u);
  const target = (delayAt < 0 ? rest : rest.slice(0, delayAt)).trim();
  switch (what) {
    case 'exec':
      return { exec: { command: target.replace(/^\[|\]$/gu, '').split(' ') }, ...times };
    case 'http-get': {
      const [, scheme = 'http', host = '', port = '', path = ''] =
        /^([a-z]+):\/\/(\[[^\]]*\]|[^/:]*)(?::([^/]+))?(\/.*)?$/iu.exec(target) ?? [];
      const shown = host === '' ? {} : { host };
      return { httpGet: { scheme: scheme.toUpperCase(), port: intOrText(port), path, ...shown }, ...times };
    }
    case 'tcp-socket': {
      const at = target.lastIndexOf(':');
      const host = target.slice(0, Math.max(at, 0));
      return { tcpSocket: { port: intOrText(target.slice(at + 1)), ...(host !== '' && { host }) }, ...times };
    }
    case 'grpc':
      return { grpc: { port: Number(/:(\d{1,5})/u.exec(target)?.[1] ?? 0) }, ...times };
    default:
      return times;
  }
}

function intOrText(text: string): number | string {
  return /^\d{1,5}$/u.test(text) ? Number(text) : text;
}

function envFromOf(line: string): readonly object[] {
  const [, name = '', kind = '', prefix, optional = ''] =
    /^(\S+)\s+(ConfigMap|Secret)(?: with prefix '([^']*)')?\s+Optional: (true|false)$/u.exec(line) ?? [];
  if (name === '') return [];
  const source = { name, optional: optional === 'true' };
  const from = kind === 'Secret' ? { secretRef: source } : { configMapRef: source };
  return [prefix === undefined ? from : { ...from, prefix }];
}

/** Further lines of a value stand to the right of the names. */
function envOf(field: Field | undefined): readonly object[] {
  if (field === undefined) return [];
  let column: number | undefined;
  return field.lines.flatMap((line) => {
    const trimmed = line.trim();
    const [before = '', name = ''] = /^([^\s:=]{1,300}):(?=\s|$)/u.exec(trimmed) ?? [];
    const text = trimmed.slice(before.length);
    if (name === '') return [];
    column ??= indentOf(line);
    return indentOf(line) === column ? [{ name, ...envValue(text.trim()) }] : [];
  });
}

function envValue(text: string): object {
  const [, key = '', kind = '', name = '', optional = ''] =
    /^<set to the key '([^']{0,300})' (in secret|of config map) '([^']{0,300})'>\s{1,8}Optional: (true|false)$/u.exec(
      text,
    ) ?? [];
  if (kind !== '') {
    const source = { name, key, optional: optional === 'true' };
    return { valueFrom: kind === 'in secret' ? { secretKeyRef: source } : { configMapKeyRef: source } };
  }
  const fieldPath = /\(v\d\S{0,30}:([^)]{1,300})\)$/u.exec(text)?.[1];
  if (fieldPath !== undefined) return { valueFrom: { fieldRef: { fieldPath } } };
  const resource = /\(((?:limits|requests)\.[^)]{1,300})\)$/u.exec(text)?.[1];
  return resource === undefined ? { value: text } : { valueFrom: { resourceFieldRef: { resource } } };
}

function mountOf(line: string): readonly object[] {
  const [, mountPath = '', name = '', flags = ''] =
    /^(.{0,4096}) from (\S{1,300}) \((.{0,4096})\)$/u.exec(line) ?? [];
  if (name === '') return [];
  const subPath = /path="((?:[^"\\]|\\.)*)"/u.exec(flags)?.[1];
  return [{ mountPath, name, readOnly: /^ro\b/u.test(flags), ...(subPath !== undefined && { subPath }) }];
}

/** A container without a state had no status when it was described. */
function statusOf(name: string, fields: Fields): Readonly<Record<string, unknown>> | undefined {
  if (!fields.has('State')) return undefined;
  const containerID = statedIn(fields, 'Container ID');
  return {
    name,
    image: statedIn(fields, 'Image') ?? '',
    imageID: statedIn(fields, 'Image ID') ?? '',
    ...(containerID !== undefined && { containerID }),
    ready: statedIn(fields, 'Ready') === 'True',
    restartCount: Number(/^\d{1,9}$/u.exec(statedIn(fields, 'Restart Count') ?? '')?.[0] ?? 0),
    state: stateOf(fieldOf(fields, 'State')),
    lastState: stateOf(fieldOf(fields, 'Last State')),
  };
}

function stateOf(field: Field | undefined): object {
  if (field === undefined) return {};
  const fields = fieldsOf(field.lines, (key) => stateKeys.has(key));
  const reason = statedIn(fields, 'Reason') ?? '';
  const startedAt = timeOf(statedIn(fields, 'Started'));
  const started = startedAt === undefined ? {} : { startedAt };
  switch (field.value.trim()) {
    case 'Running':
      return { running: started };
    case 'Waiting':
      return { waiting: { reason } };
    case 'Terminated': {
      // kubectl always prints the exit code: the text was cut off before it.
      if (!fields.has('Exit Code')) return {};
      const finishedAt = timeOf(statedIn(fields, 'Finished'));
      const signal = Number(statedIn(fields, 'Signal') ?? 0);
      return {
        terminated: {
          reason,
          exitCode: Number(/^-?\d{1,9}$/u.exec(statedIn(fields, 'Exit Code') ?? '')?.[0] ?? 0),
          message: textOf(fields, 'Message'),
          ...(signal > 0 && { signal }),
          ...started,
          ...(finishedAt !== undefined && { finishedAt }),
        },
      };
    }
    default:
      return {};
  }
}
