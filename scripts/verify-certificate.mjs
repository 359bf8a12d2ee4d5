/** Computes a certificate again from the objects, sharing nothing with the engines (docs/certificate.md). */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const key = ({ metadata = {} }) => `${metadata.namespace ?? ''}/${metadata.name}`;
const nameOf = ({ namespace, name }) => [namespace, name];
const refKey = (ref) => nameOf(ref).join('/');
const revisionOf = ({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'];
const controllerOf = ({ metadata }) => metadata.ownerReferences?.find((each) => each.controller)?.uid;
const hasEnded = ({ status }) => ['Succeeded', 'Failed'].includes(status?.phase);
const isActive = (pod) => !hasEnded(pod) && !pod.metadata.deletionTimestamp;
const isReady = ({ status }) => status?.conditions?.find((each) => each.type === 'Ready')?.status === 'True';
const taintsOf = ({ spec }) => spec?.taints ?? [];
const groupOf = ({ metadata, spec }) =>
  `${metadata.namespace}/${(spec.template?.spec ?? spec).schedulingGroup?.podGroupName}`;
const hasAll = (labels = {}, all = {}) => Object.keys(all).every((one) => labels[one] === all[one]);

/** In nano units, rounded up as the API does; no amount at all for text that is no quantity. */
function amountOf(quantity) {
  const [, sign, whole, part = '', unit = ''] =
    /^([+-]?)(\d{0,40})(?:\.(\d{0,40}))?([KMGTPE]i|[numkMGTPE]|[eE][+-]?\d{1,3})?$/.exec(quantity) ?? [];
  if (whole === undefined) return -1n;
  const binary = unit.endsWith('i') ? 1024n ** BigInt('KMGTPE'.indexOf(unit[0]) + 1) : 1n;
  const power = /^[eE]./.test(unit)
    ? Number(unit.slice(1))
    : ({ n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 }[unit] ?? 0);
  const shift = 9 + power - part.length;
  const by = 10n ** BigInt(Math.abs(shift));
  const digits = BigInt(whole + part) * binary;
  const nano = shift >= 0 ? digits * by : (digits + by - 1n) / by;
  return sign === '-' ? -nano : nano;
}

const nanoOf = (quantity) => (typeof quantity === 'bigint' ? quantity : amountOf(quantity ?? '0'));
function sumOf(...lists) {
  const sum = {};
  for (const [resource, quantity] of lists.flatMap((list) => Object.entries(list ?? {})))
    sum[resource] = (sum[resource] ?? 0n) + nanoOf(quantity);
  return sum;
}

function largestOf(one, other) {
  const all = { ...one };
  for (const each in other) if (other[each] > (all[each] ?? 0n)) all[each] = other[each];
  return all;
}

/** Containers beside sidecars, or the largest init container beside the sidecars that start before it. */
function requestsOf({ spec }, field = 'requests') {
  const asked = ({ resources: all = {} }) =>
    sumOf({ ...(field === 'requests' && all.limits), ...all[field] });
  let [sidecars, most] = [{}, {}];
  for (const container of spec.initContainers ?? []) {
    const beside = sumOf(sidecars, asked(container));
    most = largestOf(most, beside);
    if (container.restartPolicy === 'Always') sidecars = beside;
  }
  const all = largestOf(most, sumOf(sidecars, ...spec.containers.map(asked)));
  return sumOf({ ...all, ...asked(spec) }, spec.overhead);
}

/** What a quota charges for a pod, or `undefined` where it is no sum of what containers state. */
function chargeOf(pod, resource) {
  if (resource === 'pods' || resource === 'count/pods') return amountOf('1');
  const [, field = 'requests', name] = /^(?:(requests|limits)\.)?(.{1,300})$/.exec(resource) ?? [];
  return requestsOf(pod, field)[name];
}

const tolerates = ({ spec }, { key: taint, value = '', effect }) =>
  (spec.tolerations ?? []).some((each) => {
    if (each.effect && each.effect !== effect) return false;
    if (each.operator === 'Exists') return !each.key || each.key === taint;
    return each.key === taint && (each.value ?? '') === value;
  });

function meets(labels = {}, { key: label, operator, values = [] }) {
  const found = labels[label];
  if (operator.endsWith('In')) return values.includes(found) === (operator === 'In');
  if (/Exist/.test(operator)) return (found !== undefined) === (operator === 'Exists');
  const [low, high] = operator === 'Gt' ? [values[0], found] : [found, values[0]];
  return found !== undefined && Number(low) < Number(high);
}

const selects = (selector, labels) =>
  Boolean(selector) &&
  hasAll(labels, selector.matchLabels) &&
  (selector.matchExpressions ?? []).every((each) => meets(labels, each));

const isOneOf = (terms, { metadata }) =>
  terms.some(({ matchExpressions = [], matchFields = [] }) => {
    const ofFields = matchFields.every((each) => meets({ 'metadata.name': metadata.name }, each));
    const isEmpty = matchExpressions.length + matchFields.length === 0;
    return !isEmpty && ofFields && matchExpressions.every((each) => meets(metadata.labels, each));
  });

function wantsNode({ spec }, node) {
  const hard = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return hasAll(node.metadata.labels, spec.nodeSelector) && (!hard || isOneOf(hard.nodeSelectorTerms, node));
}

const portsOf = ({ spec: { containers, initContainers = [] } }) =>
  [...containers, ...initContainers.filter((each) => each.restartPolicy === 'Always')]
    .flatMap(({ ports = [] }) => ports.filter((each) => each.hostPort))
    .map(({ hostPort, protocol = 'TCP', hostIP }) => ({ port: hostPort, protocol, ip: hostIP || '0.0.0.0' }));
const collide = (a, b) =>
  a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || [a.ip, b.ip].includes('0.0.0.0'));

const claimsOf = ({ find }, { metadata, spec: { volumes = [] } }) =>
  volumes.flatMap(({ name, ephemeral, persistentVolumeClaim: claim }) => {
    const named = claim?.claimName ?? `${metadata.name}-${name}`;
    return claim || ephemeral ? [find('PersistentVolumeClaim', metadata.namespace, named)] : [];
  });

/** By filter of the scheduler: why the node refuses the pod; `undefined` where this program cannot judge. */
function filtersOn(world, pod, node) {
  const here = world.pods.filter(({ spec }) => spec.nodeName === node.metadata.name);
  const claims = claimsOf(world, pod);
  const volumes = claims.map((claim) => world.find('PersistentVolume', '', claim?.spec.volumeName ?? ''));
  const terms = volumes.flatMap((volume) => volume?.spec.nodeAffinity?.required ?? []);
  const cordon = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
  const isHard = (taint) => taint.effect !== 'PreferNoSchedule' && !tolerates(pod, taint);
  const isTaken = (port) => here.flatMap(portsOf).some((other) => collide(port, other));
  const needs = [pod.spec, ...pod.spec.containers].some((each) => each.resourceClaims?.length > 0);
  const isAnyClass = world.all('DeviceClass').some(({ spec }) => spec.extendedResourceName);
  const unless = (isUnknown) => (isUnknown ? undefined : []);
  return {
    ...{ SchedulingGates: [], NodeName: [] },
    NodeUnschedulable: node.spec?.unschedulable && isHard(cordon) ? [cordon] : [],
    TaintToleration: taintsOf(node).filter(isHard).slice(0, 1),
    NodeAffinity: wantsNode(pod, node) ? [] : [node],
    NodePorts: portsOf(pod).filter(isTaken),
    NodeResourcesFit: lacking(pod, node, here),
    VolumeRestrictions: unless(claims.some((claim) => /OncePod/.test(claim?.spec.accessModes))),
    NodeVolumeLimits: unless(volumes.some((volume) => volume?.spec.csi)),
    VolumeBinding: volumes.includes(undefined)
      ? undefined
      : terms.filter((each) => !isOneOf(each.nodeSelectorTerms, node)),
    VolumeZone: unless(volumes.some((volume) => volume?.metadata.labels)),
    PodTopologySpread: unless(/DoNot/.test(JSON.stringify(pod.spec.topologySpreadConstraints))),
    InterPodAffinity: avoided(world, pod, node),
    DynamicResources: unless(needs || isAnyClass),
  };
}

function lacking(pod, node, here) {
  const allocatable = sumOf(node.status.allocatable);
  const used = sumOf({ pods: amountOf(String(here.length)) }, ...here.map((each) => requestsOf(each)));
  return Object.entries(sumOf(requestsOf(pod), { pods: '1' }))
    .map(([resource, requested]) => {
      const all = allocatable[resource] ?? 0n;
      const free = all - (used[resource] ?? 0n);
      return { resource, requested, free, allocatable: all, short: requested - free };
    })
    .filter(({ requested, short }) => requested > 0n && short > 0n);
}

const avoids = ({ spec }) =>
  spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

function avoided({ pods, find }, pod, node) {
  const termsOf = (by, met, at) => avoids(by).map((term) => ({ ...term, by, met, at }));
  const placed = pods.filter(({ spec }) => spec.nodeName);
  const terms = placed.flatMap((at) => [...termsOf(pod, at, at), ...termsOf(at, pod, at)]);
  const isUnusual = (term) => term.namespaceSelector ?? term.matchLabelKeys ?? term.mismatchLabelKeys;
  if (pod.spec.affinity?.podAffinity || terms.some(isUnusual)) return undefined;
  return terms.filter(({ namespaces, labelSelector, topologyKey, by, met, at }) => {
    const domain = node.metadata.labels?.[topologyKey];
    const isThere = find('Node', '', at.spec.nodeName)?.metadata.labels?.[topologyKey] === domain;
    const isMeant = (namespaces ?? [by.metadata.namespace]).includes(met.metadata.namespace);
    return domain && isThere && isMeant && selects(labelSelector, met.metadata.labels);
  });
}

/** Pods beyond those wanted, and pods that may be missing (`deployment_util.go: ResolveFenceposts`). */
function fenceposts({ replicas, strategy: { rollingUpdate = {} } }) {
  const { maxSurge = '25%', maxUnavailable = '25%' } = rollingUpdate;
  const scaled = (value, round) =>
    String(value).endsWith('%') ? round((Number.parseInt(value, 10) * replicas) / 100) : Number(value);
  const [surge, unavailable] = [scaled(maxSurge, Math.ceil), scaled(maxUnavailable, Math.floor)];
  return [surge, surge + unavailable === 0 ? 1 : Math.min(unavailable, replicas), replicas];
}

const ofKind = (kind) => (world) => world.all(kind);
const nodesThat = (may) => (world) => world.nodes.filter((node) => may(node, world));
const podsThat = (may) => (world) => world.pods.filter((pod) => may(pod, world));
const tainted = nodesThat((node) => taintsOf(node).length > 0 || node.spec?.unschedulable);
const lacksDevices = ({ status }) => Object.values(status.allocatable).includes('0');
const mayEnd = ({ spec }) => spec.restartPolicy !== 'Always' || spec.activeDeadlineSeconds !== undefined;
const mayLeave = (pod, { moving }) => mayEnd(pod) || moving.includes(pod) || pod.metadata.deletionTimestamp;
const mayRestart = (pod, { holders }) => holders.includes(pod) && /Count":[1-9]/.test(JSON.stringify(pod));
const ofAutoscaler = ({ all }) => all('Event').filter(({ reason }) => reason?.endsWith('ScaleUp'));
const ofGroup = ({ all, own, others, waiting: [pod] }) =>
  [...others, ...all('Deployment')].filter((each) => each !== own && groupOf(each) === groupOf(pod));
const held = 'node quota queue volume lock';

/** The places that each way opens, and the objects that could use it: without any of them, it is closed. */
const ways = [
  [`${held} gang cycle`, 'release-is-remediated', ofKind('HelmRelease')],
  [`${held} gang`, 'autoscaler-may-shrink scaled-object-may-shrink', ofKind('HorizontalPodAutoscaler')],
  ['gang', 'autoscaler-may-grow', ofKind('HorizontalPodAutoscaler')],
  ['gang', 'others-may-complete-group', ofGroup],
  ['node quota', 'daemon-pods-restart', podsThat(mayRestart)],
  ['lock', 'holder-restarts', podsThat(mayRestart)],
  ['node', 'scale-up-is-under-way scale-up-retried', ofAutoscaler],
  ['node', 'autoscaler-pending nodes-are-replaced', ofKind('NodeClaim')],
  ['node', 'nodes-joining nodes-may-return', nodesThat((node) => !isReady(node) || lacksDevices(node))],
  ['node', 'volumes-may-detach', ofKind('VolumeAttachment')],
  ['node', 'resizes-may-free', podsThat((pod) => /"PodResize/.test(JSON.stringify(pod.status)))],
  ['queue', 'may-finish may-stop usage-unread may-lend', ofKind('ClusterQueue')],
  ['node quota', 'neighbours-move neighbours-stalled neighbours-replace', podsThat(mayLeave)],
  ['quota', 'neighbours-depart', podsThat(mayLeave)],
  ['node quota', 'neighbours-unread', ({ orphans }) => orphans],
  ['node quota cycle', 'neighbours-may-shrink', ofKind('HorizontalPodAutoscaler')],
  ['node quota queue volume gang', 'pods-leave', podsThat(mayLeave)],
  [held, 'vertical-pod-autoscaler-may-evict', ofKind('VerticalPodAutoscaler')],
  [held, 'descheduler-may-evict', podsThat(({ metadata }) => /descheduler/.test(JSON.stringify(metadata)))],
  [held, 'node-removal-may-evict evictions-may-free drain-may-evict', tainted],
  ['volume', 'waiting-may-move', tainted],
  ['node quota', 'jobs-may-finish', podsThat(mayEnd)],
  ['node quota cycle', 'pods-may-leave', podsThat(mayLeave)],
];

const fields = ['requested', 'free', 'allocatable', 'short'];
/** What is compared of each refusal. Of other filters only whether they refuse. */
const contents = {
  NodeResourcesFit: (each) => [each.resource, ...fields.map((field) => nanoOf(each[field]))],
  TaintToleration: (each) => [each.key, each.value, each.effect],
  NodePorts: ({ port, protocol }) => [port, protocol],
};
const contentOf = (plugin, refusals) =>
  contents[plugin] ? refusals.map(contents[plugin]).map(String).sort() : refusals.length > 0;

function isUnderWay({ kind, metadata, spec, status = {} }) {
  const { desiredNumberScheduled: wanted = spec?.replicas, observedGeneration = 0 } = status;
  const updated = status.updatedReplicas ?? status.updatedNumberScheduled ?? 0;
  const ready = status.availableReplicas ?? status.numberAvailable ?? status.readyReplicas ?? 0;
  const isComplete = updated >= wanted && ready >= wanted && observedGeneration >= (metadata.generation ?? 0);
  return !['ReplicaSet', 'Pod'].includes(kind) && wanted !== undefined && !isComplete;
}

function worldOf({ workload, place }, objects) {
  const kindOf = ({ apiVersion, kind }) => (/^serving\.knative/.test(apiVersion) ? `Knative${kind}` : kind);
  const whole = JSON.parse(JSON.stringify(objects), (_, value) => value ?? undefined);
  const byKey = new Map(whole.map((each) => [`${kindOf(each)} ${key(each)}`, each]));
  const find = (kind, namespace, name) => byKey.get(`${kind} ${namespace}/${name}`);
  const byUid = new Map(whole.map((each) => [each.metadata?.uid, each]));
  const ownerOf = (object) => byUid.get(controllerOf(object) || 'none');
  const above = (each, most = 4) => (each && most >= 0 ? [each, ...above(ownerOf(each), most - 1)] : []);
  const all = (kind) => whole.filter((each) => kindOf(each) === kind);
  const pods = all('Pod').filter((pod) => !hasEnded(pod));
  const own = find(workload.kind, workload.namespace, workload.name);
  const others = pods.filter((pod) => !above(pod).includes(own));
  return {
    ...{ all, find, pods, own, above, others, nodes: all('Node') },
    waiting: place.waiting.map((each) => find('Pod', ...nameOf(each))),
    holders: place.holders.map((each) => find('Pod', ...nameOf(each))),
    moving: others.filter((pod) => above(pod).some(isUnderWay)),
    orphans: others.filter((pod) => controllerOf(pod) && above(pod).length === 1),
  };
}

/** The certificate holds for these objects where `faults` is empty. `notJudged` names what is taken on trust. */
export function verify(certificate, objects) {
  const [faults, notJudged] = [[], new Set()];
  const must = (what, isSo) => isSo || faults.push(what);
  const same = (what, stated, found) => must(`${what}: ${stated}, not ${found}`, `${stated}` === `${found}`);
  const { place, scheduler, controllers, escapes, restsOn, workload } = certificate;
  const world = worldOf(certificate, objects);
  const { find, pods, own, waiting, holders, above, nodes: all } = world;
  const isPlaced = place.kind === 'node' || place.kind === 'cycle';
  const bases = restsOn.map((each) => `${each.kind} ${refKey(each)}`);
  for (const ref of [workload, ...place.waiting, ...place.holders, ...place.of, ...restsOn]) {
    const { uid = '', resourceVersion = '' } = find(ref.kind, ...nameOf(ref))?.metadata ?? {};
    same(`${ref.kind} ${ref.name}`, [ref.uid, ref.resourceVersion], [uid, resourceVersion]);
    must(`${ref.kind} ${ref.name} is no basis`, bases.includes(`${ref.kind} ${refKey(ref)}`));
  }
  same('form', [certificate.kind, certificate.format, controllers.length > 0], ['Certificate', 1, true]);
  must('no such pods', holders.length > 0 && ![own, ...holders, ...waiting].includes(undefined));
  if (faults.length > 0) return { isAccepted: false, faults, notJudged: [] };
  must('the pods changed', [...holders, ...waiting].every(isActive) && !waiting.some(isReady));
  const isOther = (ref) => ref.kind === 'Pod' && !place.waiting.map(refKey).includes(refKey(ref));
  const left = isPlaced ? scheduler.flatMap(({ without }) => without) : restsOn.filter(isOther).map(refKey);
  same('holders', place.holders.map(refKey).sort(), [...new Set(left)].sort());
  const newest = controllers.flatMap(({ sets }) => sets.filter((set) => set.isNew)).map(({ uid }) => uid);
  must('a holder is new', holders.filter((pod) => newest.includes(controllerOf(pod))).length === 0);
  const fits = (pod, node, gone) => {
    const rest = { ...world, pods: pods.filter((each) => !gone.includes(key(each))) };
    const verdicts = Object.values(filtersOn(rest, pod, node));
    return verdicts.some((one) => one?.length > 0) ? false : verdicts.includes(undefined) ? undefined : true;
  };
  const judges = { quota: judgeQuota, volume: judgeVolume, gang: judgeGang };
  const judgePlace = isPlaced ? judgeScheduler : judges[place.kind];
  judgePlace ? judgePlace() : notJudged.add(`what holds a ${place.kind}`);
  for (const each of controllers) judgeController(each);
  judgeWays();
  return { isAccepted: faults.length === 0, faults, notJudged: [...notJudged] };

  function judgeScheduler() {
    const opened = scheduler.filter(({ nodes }) => nodes.some((each) => each.fitsWithout));
    must('the holders are no obstacle', opened.length >= (place.kind === 'cycle' ? scheduler.length : 1));
    for (const { pod: name, without, nodes } of scheduler) {
      const pod = find('Pod', ...name.split('/'));
      same('nodes', nodes.map(({ node }) => node).sort(), all.map(({ metadata }) => metadata.name).sort());
      for (const { node: on, filters, fitsWithout } of nodes) {
        const found = filtersOn(world, pod, find('Node', '', on));
        same('filters', filters.map(({ plugin }) => plugin).sort(), Object.keys(found).sort());
        for (const { plugin, refusals } of filters) {
          if (found[plugin] === undefined) notJudged.add(plugin);
          else same(`${plugin} on ${on}`, contentOf(plugin, refusals), contentOf(plugin, found[plugin]));
        }
        must(`${name} fits on ${on}`, filters.flatMap(({ refusals }) => refusals).length > 0);
        same(`${name} on ${on} later`, fitsWithout, fits(pod, find('Node', '', on), without) ?? fitsWithout);
      }
    }
  }

  function judgeQuota() {
    const { admission, admittedWithout } = certificate;
    const newest = controllers[0].sets.find(({ isNew }) => isNew);
    const { spec } = newest ? find('ReplicaSet', ...nameOf(newest)) : own;
    const given = holders.filter((pod) => admittedWithout.includes(key(pod)));
    must('quota', admission.length > 0 && given.length > 0 && given.length === admittedWithout.length);
    for (const { quota, resource, requested, used, limited } of admission) {
      const { status = {} } = find('ResourceQuota', workload.namespace, quota) ?? {};
      const found = [status.hard, status.used].map((each) => sumOf(each)[resource]);
      same(`${quota} ${resource}`, [limited, used].map(amountOf), found);
      const asked = spec.template && chargeOf(spec.template, resource);
      if (asked === undefined) notJudged.add('what a new pod is charged');
      else same(`a new pod's ${resource}`, amountOf(requested), asked);
      const over = amountOf(used) + amountOf(requested) - amountOf(limited);
      const left = given.reduce((sum, pod) => sum - (chargeOf(pod, resource) ?? 0n), over);
      must(`${quota} ${resource} is no obstacle`, over > 0n && left <= 0n);
    }
  }

  function judgeVolume() {
    const wanted = claimsOf(world, waiting[0]);
    for (const holder of holders) {
      const shared = claimsOf(world, holder).filter((claim) => wanted.includes(claim));
      const volumes = shared.map((claim) => claim?.spec.volumeName);
      const { nodeName } = holder.spec;
      const held = world.all('VolumeAttachment').filter(({ spec }) => spec.nodeName === nodeName);
      const isHeld = held.some(({ spec }) => volumes.includes(spec.source.persistentVolumeName));
      must(`${key(holder)} holds no volume`, isHeld && waiting[0].spec.nodeName !== nodeName);
    }
  }

  function judgeGang() {
    const [group] = waiting.map(groupOf);
    const { minCount = 0 } = find('PodGroup', ...group.split('/'))?.spec.schedulingPolicy?.gang ?? {};
    must('the group is complete', pods.filter((pod) => groupOf(pod) === group).length < minCount);
  }

  function judgeController({ workload: ref, generation, strategy = {}, counts, sets, rest }) {
    const { metadata, spec, status = {}, kind } = find(ref.kind, ...nameOf(ref));
    same(`generation of ${ref.name}`, generation, metadata.generation ?? 0);
    must(`${ref.name} moves`, rest === 'fixed' || (rest === 'acting' && place.kind === 'quota'));
    if (kind !== 'Deployment') return notJudged.add(`the controller of a ${kind}`);
    const active = pods.filter((pod) => isActive(pod) && above(pod).includes(find(kind, ...nameOf(ref))));
    same(`pods of ${ref.name}`, Object.values(counts), [active.length, active.filter(isReady).length]);
    const owned = world.all('ReplicaSet').filter((set) => controllerOf(set) === ref.uid);
    const lineOf = (each) => [each.metadata.uid, each.spec.replicas, each.status.availableReplicas ?? 0];
    const found = owned.map((each) => [...lineOf(each), revisionOf(each) === revisionOf({ metadata })]);
    const stated = sets.map((set) => [set.uid, set.replicas, set.available, set.isNew]);
    same('ReplicaSets', stated.sort(), found.filter(([, replicas]) => replicas > 0).sort());
    const [surge, unavailable] = fenceposts(spec);
    same('strategy', [strategy.surge, strategy.unavailable, strategy.replicas], fenceposts(spec));
    const total = sets.reduce((sum, { replicas }) => sum + replicas, 0);
    const newest = sets.find((set) => set.isNew) ?? { replicas: 0, available: 0 };
    const room = Math.min(spec.replicas + surge - total, spec.replicas - newest.replicas);
    const spare = total - (spec.replicas - unavailable) - (newest.replicas - newest.available);
    must(`${ref.name} would be scaled`, room <= 0 && spare <= 0 && total > newest.replicas);
    must(`${ref.name} does not roll`, !spec.paused && status.observedGeneration >= generation);
  }

  function judgeWays() {
    const isOfPlace = ([opens]) => opens.split(' ').includes(place.kind);
    const expected = ways.filter(isOfPlace).flatMap(([, ids, of]) => ids.split(' ').map((id) => [id, of]));
    same('ways', escapes.map(({ way }) => way).sort(), expected.map(([id]) => id).sort());
    for (const { way, answer } of escapes) {
      must(`the place may become free: ${way}`, answer === 'closed');
      const openers = expected.find(([id]) => id === way)?.[1](world) ?? [];
      const arePods = openers.every(({ spec }) => spec?.containers);
      const isOpen = ({ pod }) =>
        all.some((node) => fits(find('Pod', ...pod.split('/')), node, openers.map(key)) !== false);
      if (openers.length === 0 || (isPlaced && arePods && !scheduler.some(isOpen))) continue;
      if (isPlaced && way === 'jobs-may-finish') must('a pod that ends frees the place', false);
      else notJudged.add(`the way ${way}`);
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  process.exitCode = 2;
  process.on('uncaughtException', ({ message: m }) => console.log(`Cannot be checked: ${m.split('\n')[0]}`));
  const [certificate, objects] = process.argv.slice(2, 4).map((file) => parse(readFileSync(file, 'utf8')));
  const { isAccepted, faults, notJudged } = verify(certificate, objects.items ?? objects);
  console.log((isAccepted ? ['Accepted. Not judged:', ...notJudged] : ['Refused:', ...faults]).join('\n- '));
  process.exitCode = isAccepted ? 0 : 1;
}
