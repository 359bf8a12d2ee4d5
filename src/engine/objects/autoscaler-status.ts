import { boundText } from '../language/text-scanning.js';
import { maxMessage } from './wire.js';

/** ConfigMap that cluster-autoscaler writes in every loop, under the default `--status-config-map-name`. */
export const autoscalerStatusMap = { namespace: 'kube-system', name: 'cluster-autoscaler-status' } as const;

/** A node group as cluster-autoscaler reports it. */
export interface NodeGroup {
  readonly name: string;
  /** Nodes that the cloud provider is asked for. */
  readonly target: number;
  readonly max: number;
  /** `NoActivity`, `InProgress`, `Backoff`, … */
  readonly scaleUp: string;
  /** Of a failed scale-up; '' until 1.29, which does not report it. */
  readonly errorCode: string;
  /** What the cloud provider reports with it; '' without. */
  readonly errorMessage: string;
  /** RFC3339: since when it is in this state; absent where it is not reported. */
  readonly failedAt?: string;
}

export interface AutoscalerStatus {
  /** RFC3339. */
  readonly at: string;
  readonly groups: readonly NodeGroup[];
}

/** Characters that are read: some thousand node groups. */
const maxStatus = 1_000_000;
const maxGroups = 2_000;

/**
 * Reads the status in both of its forms: YAML since 1.30 (cluster-autoscaler `clusterstate/api/types.go`),
 * and text until 1.29 (`clusterstate/api/utils.go: GetReadableString`,
 * `clusterstate/clusterstate.go: buildHealthStatusNodeGroup`). `undefined` where it is neither, or where the
 * autoscaler is still starting.
 */
export function parseAutoscalerStatus(text: string): AutoscalerStatus | undefined {
  if (text.length > maxStatus) return undefined;
  const lines = text.split('\n').map((line) => boundText(line, maxMessage));
  const first = lines[0] ?? '';
  const old = /^Cluster-autoscaler status at (.{19,64}):$/u.exec(first)?.[1];
  const at = timeOf(old ?? topFieldOf(lines, 'time'));
  if (at === undefined) return undefined;
  if (old !== undefined) return { at, groups: groupsOfText(lines) };
  return topFieldOf(lines, 'autoscalerStatus') === 'Running'
    ? { at, groups: groupsOfYaml(lines) }
    : undefined;
}

/** Go's `2006-01-02 15:04:05.999999999 -0700 MST` as RFC3339. */
function timeOf(text: string | undefined): string | undefined {
  const match = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,9})?(?: ([+-]\d\d)(\d\d)|Z)/u.exec(
    text ?? '',
  );
  if (match === null) return undefined;
  const [, day, hours, zone, minutes] = match;
  const time = Date.parse(`${day}T${hours}${zone === undefined ? 'Z' : `${zone}:${minutes}`}`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

function topFieldOf(lines: readonly string[], key: string): string | undefined {
  const line = lines.find((each) => each.startsWith(`${key}: `));
  return line === undefined ? undefined : unquoted(line.slice(key.length + 2).trim());
}

function unquoted(text: string): string {
  const quote = text[0];
  return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote)
    ? text.slice(1, -1)
    : text;
}

interface Reading {
  name: string;
  target: number | undefined;
  max: number | undefined;
  scaleUp: string;
  errorCode: string;
  errorMessage: string;
  changedAt: string;
}

/** Only groups whose sizes are known: a number that is missing is no 0. */
function complete(groups: readonly Reading[]): readonly NodeGroup[] {
  return groups.map(({ target = 0, max = Number.MAX_SAFE_INTEGER, changedAt, ...group }) => {
    const failedAt = timeOf(changedAt);
    return { ...group, target, max, ...(failedAt === undefined ? {} : { failedAt }) };
  });
}

const begun = (name: string): Reading => ({
  name,
  target: undefined,
  max: undefined,
  scaleUp: '',
  errorCode: '',
  errorMessage: '',
  changedAt: '',
});

/** Fields count only at the column that the first of their map has: a message may run over several lines. */
function groupsOfYaml(lines: readonly string[]): readonly NodeGroup[] {
  const groups: Reading[] = [];
  const start = lines.indexOf('nodeGroups:');
  let fieldsAt = -1;
  let section = '';
  let innerAt = -1;
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    const item = /^(\s{0,8}- )name: (.+)$/u.exec(line);
    if (item !== null) {
      if (groups.length >= maxGroups) break;
      groups.push(begun(unquoted((item[2] ?? '').trim())));
      fieldsAt = (item[1] ?? '').length;
      section = '';
      continue;
    }
    const group = groups.at(-1);
    const column = line.length - line.trimStart().length;
    const colon = line.indexOf(':');
    if (group === undefined || colon < 0) continue;
    const key = line.slice(column, colon);
    const value = unquoted(line.slice(colon + 1).trim());
    if (column === fieldsAt) {
      section = key;
      innerAt = -1;
      continue;
    }
    if (column < fieldsAt) break;
    if (innerAt < 0) innerAt = column;
    if (section === 'health' && column === innerAt) {
      if (key === 'cloudProviderTarget') group.target = countOf(value);
      if (key === 'maxSize') group.max = countOf(value);
    }
    if (section === 'scaleUp' && column === innerAt && key === 'status') group.scaleUp = value;
    if (section === 'scaleUp' && column === innerAt && key === 'lastTransitionTime') group.changedAt = value;
    if (section === 'scaleUp' && key === 'errorCode') group.errorCode = value;
    // A message that runs over several lines is read up to the end of its first one.
    if (section === 'scaleUp' && key === 'errorMessage') group.errorMessage = value.replace(/^['"]/u, '');
  }
  return complete(groups);
}

function groupsOfText(lines: readonly string[]): readonly NodeGroup[] {
  const groups: Reading[] = [];
  const start = lines.indexOf('NodeGroups:');
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    const name = /^ {2}Name: {8}(.+)$/u.exec(line)?.[1];
    if (name !== undefined) {
      if (groups.length >= maxGroups) break;
      groups.push(begun(name.trim()));
      continue;
    }
    const group = groups.at(-1);
    if (group === undefined) continue;
    if (line.startsWith('  Health:')) {
      group.target = countOf(/ cloudProviderTarget=(\d{1,9}) /u.exec(line)?.[1]);
      group.max = countOf(/, maxSize=(\d{1,9})\)/u.exec(line)?.[1]);
    }
    const scaleUp = /^ {2}ScaleUp: {5}([A-Za-z]{1,32})/u.exec(line)?.[1];
    if (scaleUp !== undefined) group.scaleUp = scaleUp;
  }
  return complete(groups);
}

function countOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/u.test(text) ? Number(text) : undefined;
}
