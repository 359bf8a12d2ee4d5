import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { mainFindingOf } from '#src/doctor/findings/main-finding.js';
import { recordedSource } from '#src/edges/cli/sources.js';
import type { WorkloadKind } from '#src/engine/objects/workload.js';
import { createEngine } from '#src/service/create-engine.js';

/** When all these descriptions were printed. */
export const printedAt = '2026-07-01T12:00:00Z';

const engine = createEngine();

/** The diagnosis of a workload of the namespace `shop`, from text alone. */
export async function diagnoseText(
  text: string,
  name: string = 'web',
  kind: WorkloadKind = 'Deployment',
): Promise<Diagnosis> {
  const folder = mkdtempSync(join(tmpdir(), 'descriptions-'));
  try {
    const file = join(folder, 'a.txt');
    writeFileSync(file, text);
    const { reader, cluster } = await recordedSource(file, printedAt);
    const read = await reader.snapshot({ cluster, namespace: 'shop', name, kind }, new Set());
    if (read.type !== 'snapshot') throw new Error(`no ${kind} ${name} in the text`);
    return engine.diagnose(read.snapshot);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a test compares: the main cause, and the causes that are named as not checked. */
export function answerOf(diagnosis: Diagnosis) {
  const { main } = mainFindingOf(diagnosis);
  const open = (main?.weakenedBy ?? []).flatMap(({ key, values: { causes } }) =>
    key === 'better-unread' && Array.isArray(causes) ? causes.map(String) : [],
  );
  return { cause: main?.cause, confidence: main?.confidence, open };
}

/** Descriptions one after the other, as kubectl prints them. */
export function describeAll(...blocks: readonly string[]): string {
  return blocks.join('\n\n\n');
}

/** A row of events: type, reason, age, source and message. */
export type EventRow = readonly [type: string, reason: string, age: string, from: string, message: string];

function eventsOf(rows: readonly EventRow[]): readonly string[] {
  if (rows.length === 0) return ['Events:  <none>'];
  const titles = ['Type', 'Reason', 'Age', 'From', 'Message'];
  const all = [titles, titles.map((title) => '-'.repeat(title.length)), ...rows];
  const widths = titles.map((_, at) => Math.max(...all.map((row) => (row[at] ?? '').length)));
  return [
    'Events:',
    ...all.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`),
  ];
}

interface NodeParts {
  readonly cpu?: number;
  readonly memory?: string;
}

export function describeNode(name: string, { cpu = 8, memory = '32Gi' }: NodeParts = {}): string {
  return [
    `Name:               ${name}`,
    'Roles:              <none>',
    `Labels:             kubernetes.io/hostname=${name}`,
    'Annotations:        <none>',
    'CreationTimestamp:  Mon, 01 Jun 2026 12:00:00 +0000',
    'Taints:             <none>',
    'Unschedulable:      false',
    'Conditions:',
    '  Type    Status  LastHeartbeatTime                 LastTransitionTime                Reason         Message',
    '  ----    ------  -----------------                 ------------------                ------         -------',
    '  Ready   True    Wed, 01 Jul 2026 11:59:30 +0000   Mon, 01 Jun 2026 12:00:00 +0000   KubeletReady   kubelet is posting ready status',
    'Allocatable:',
    `  cpu:     ${cpu}`,
    `  memory:  ${memory}`,
    '  pods:    110',
    'System Info:',
    '  Operating System:           linux',
    '  Kubelet Version:            v1.36.3',
    'Events:              <none>',
  ].join('\n');
}

interface TemplateParts {
  readonly image?: string;
  /** Lines of the container, such as its limits. */
  readonly resources?: readonly string[];
  readonly annotations?: readonly string[];
}

function templateOf({ image = 'web:1', resources = [], annotations = [] }: TemplateParts): readonly string[] {
  return [
    'Pod Template:',
    '  Labels:  app=web',
    ...annotations.map((each, at) => (at === 0 ? `  Annotations:  ${each}` : `                ${each}`)),
    '  Containers:',
    '   app:',
    `    Image:         ${image}`,
    '    Port:          <none>',
    ...resources.map((line) => `    ${line}`),
    '    Environment:   <none>',
    '    Mounts:        <none>',
    '  Volumes:         <none>',
  ];
}

interface DeploymentParts extends TemplateParts {
  readonly replicas: string;
  readonly oldReplicaSets?: string;
  readonly newReplicaSet: string;
  readonly progressing?: string;
}

export function describeDeployment(parts: DeploymentParts): string {
  const { replicas, oldReplicaSets = '<none>', newReplicaSet } = parts;
  return [
    'Name:                   web',
    'Namespace:              shop',
    'CreationTimestamp:      Mon, 01 Jun 2026 12:00:00 +0000',
    'Labels:                 app=web',
    'Annotations:            deployment.kubernetes.io/revision: 2',
    'Selector:               app=web',
    `Replicas:               ${replicas}`,
    'StrategyType:           RollingUpdate',
    'MinReadySeconds:        0',
    'RollingUpdateStrategy:  0 max unavailable, 1 max surge',
    ...templateOf(parts),
    'Conditions:',
    '  Type           Status  Reason',
    '  ----           ------  ------',
    '  Available      True    MinimumReplicasAvailable',
    `  Progressing    ${parts.progressing ?? 'True    ReplicaSetUpdated'}`,
    `OldReplicaSets:  ${oldReplicaSets}`,
    `NewReplicaSet:   ${newReplicaSet}`,
    'Events:          <none>',
  ].join('\n');
}

interface ReplicaSetParts extends TemplateParts {
  readonly name: string;
  readonly revision: number;
  readonly replicas: string;
  readonly events?: readonly EventRow[];
}

export function describeReplicaSet(parts: ReplicaSetParts): string {
  const { name, revision, replicas, events = [] } = parts;
  return [
    `Name:           ${name}`,
    'Namespace:      shop',
    'Selector:       app=web',
    'Labels:         app=web',
    `Annotations:    deployment.kubernetes.io/revision: ${revision}`,
    'Controlled By:  Deployment/web',
    `Replicas:       ${replicas}`,
    'Pods Status:    1 Running / 0 Waiting / 0 Succeeded / 0 Failed',
    ...templateOf(parts),
    ...eventsOf(events),
  ].join('\n');
}

interface PodParts {
  readonly name: string;
  readonly owner: string;
  readonly image?: string;
  readonly node?: string;
  readonly status?: string;
  readonly labels?: readonly string[];
  readonly annotations?: readonly string[];
  /** Lines below the container, from `State:` on. */
  readonly state?: readonly string[];
  readonly requests?: readonly string[];
  readonly limits?: readonly string[];
  readonly namespace?: string;
  readonly priority?: number;
  readonly started?: string;
  /** `Type Status` of each; none for a pod that nothing has acted on. */
  readonly conditions?: readonly string[];
  readonly events?: readonly EventRow[];
}

const running = [
  'State:          Running',
  '  Started:      Wed, 01 Jul 2026 11:00:00 +0000',
  'Ready:          True',
];
const ready = ['Initialized True', 'Ready True', 'ContainersReady True', 'PodScheduled True'];

/** A pod that runs, unless its parts say otherwise. */
export function describePod(parts: PodParts): string {
  const { name, owner, image = 'web:1', node = 'node-a', status = 'Running', labels = ['app=web'] } = parts;
  const { annotations = [], state = running, requests = [], conditions = ready, events = [] } = parts;
  const { limits = [], namespace = 'shop', priority = 0, started = '11:00:00' } = parts;
  return [
    `Name:             ${name}`,
    `Namespace:        ${namespace}`,
    `Priority:         ${priority}`,
    'Service Account:  default',
    `Node:             ${node}`,
    ...(node === '<none>' ? [] : [`Start Time:       Wed, 01 Jul 2026 ${started} +0000`]),
    ...labels.map((each, at) => (at === 0 ? `Labels:           ${each}` : `                  ${each}`)),
    ...(annotations.length === 0 ? ['Annotations:      <none>'] : []),
    ...annotations.map((each, at) => (at === 0 ? `Annotations:      ${each}` : `                  ${each}`)),
    `Status:           ${status}`,
    `Controlled By:    ${owner}`,
    'Containers:',
    '  app:',
    `    Image:          ${image}`,
    '    Port:           <none>',
    ...state.map((line) => `    ${line}`),
    ...(limits.length === 0 ? [] : ['    Limits:', ...limits.map((line) => `      ${line}`)]),
    ...(requests.length === 0 ? [] : ['    Requests:', ...requests.map((line) => `      ${line}`)]),
    '    Environment:    <none>',
    '    Mounts:         <none>',
    ...(conditions.length === 0 ? [] : ['Conditions:', `  ${'Type'.padEnd(28)}Status`]),
    ...conditions.map((each) => `  ${each.slice(0, each.indexOf(' ')).padEnd(28)}${each.split(' ')[1]} `),
    'Volumes:            <none>',
    'QoS Class:          BestEffort',
    'Node-Selectors:     <none>',
    'Tolerations:        <none>',
    ...eventsOf(events),
  ].join('\n');
}
