import { describe, expect, it } from 'vitest';
import { type ResourceKind, resourceKinds, schemas } from '#src/engine/objects/cluster-objects.js';

/**
 * The least that the API may send of each kind, and what is read: the defaults that the API server would have
 * stored (`SetDefaults_…` in the defaults.go of each API group), and nothing that was not said. Absent fields
 * are left out of the expectation.
 */
const metadata = {
  name: '',
  namespace: '',
  uid: '',
  resourceVersion: '',
  labels: {},
  annotations: {},
  ownerReferences: [],
  finalizers: [],
  managedFields: [],
};
/** No rule reads the finalizers of a node: they are not kept. */
const { finalizers: _, ...metadataOfNode } = metadata;
const selector = { matchLabels: {}, matchExpressions: [] };
const podSpec = {
  nodeSelector: {},
  tolerations: [],
  topologySpreadConstraints: [],
  containers: [],
  initContainers: [],
  ephemeralContainers: [],
  overhead: {},
  schedulerName: 'default-scheduler',
  schedulingGates: [],
  readinessGates: [],
  volumes: [],
  resourceClaims: [],
  hostNetwork: false,
  enableServiceLinks: true,
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  imagePullSecrets: [],
};
const template = { metadata, spec: podSpec, raw: {} };
const devices = { requests: [], constraints: [] };

const noCluster = { rayClusterName: '', applicationStatuses: {} };

const least: Readonly<Record<ResourceKind, readonly [sent: object, read: object]>> = {
  Deployment: [
    { spec: { selector: {}, template: {} } },
    {
      spec: {
        replicas: 1,
        selector,
        template,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        minReadySeconds: 0,
        progressDeadlineSeconds: 600,
        revisionHistoryLimit: 10,
        paused: false,
      },
      status: {
        observedGeneration: 0,
        replicas: 0,
        updatedReplicas: 0,
        readyReplicas: 0,
        availableReplicas: 0,
        unavailableReplicas: 0,
        conditions: [],
      },
    },
  ],
  StatefulSet: [
    { spec: { selector: {}, template: {} } },
    {
      spec: {
        replicas: 1,
        selector,
        template,
        serviceName: '',
        podManagementPolicy: 'OrderedReady',
        minReadySeconds: 0,
        updateStrategy: { type: 'RollingUpdate' },
        volumeClaimTemplates: [],
      },
      status: {
        observedGeneration: 0,
        replicas: 0,
        readyReplicas: 0,
        availableReplicas: 0,
        currentReplicas: 0,
        updatedReplicas: 0,
        currentRevision: '',
        updateRevision: '',
        conditions: [],
      },
    },
  ],
  DaemonSet: [
    { spec: { selector: {}, template: {} } },
    {
      spec: { selector, template, minReadySeconds: 0, updateStrategy: { type: 'RollingUpdate' } },
      status: {
        observedGeneration: 0,
        currentNumberScheduled: 0,
        desiredNumberScheduled: 0,
        updatedNumberScheduled: 0,
        numberAvailable: 0,
        numberUnavailable: 0,
        numberMisscheduled: 0,
        numberReady: 0,
        conditions: [],
      },
    },
  ],
  KnativeService: [
    { spec: { template: {} } },
    {
      revisions: {
        label: 'serving.knative.dev/revision',
        next: undefined,
        former: [],
        kept: [],
        isSwitching: false,
      },
      parts: [{ name: 'user', count: 1, template }],
      spec: {
        template,
        traffic: [],
        replicas: 1,
        selector: { matchLabels: { 'serving.knative.dev/service': '' }, matchExpressions: [] },
        minReadySeconds: 0,
      },
      status: {
        observedGeneration: 0,
        latestCreatedRevisionName: '',
        latestReadyRevisionName: '',
        traffic: [],
        conditions: [],
      },
    },
  ],
  Revision: [{}, { status: { conditions: [] } }],
  RayService: [
    { spec: { rayClusterConfig: { headGroupSpec: { template: {} } } } },
    {
      revisions: { label: 'ray.io/cluster', next: undefined, former: [], kept: [], isSwitching: false },
      parts: [{ name: 'headgroup', count: 1, template }],
      spec: {
        rayClusterConfig: {
          enableInTreeAutoscaling: false,
          headGroupSpec: { template },
          workerGroupSpecs: [],
          raw: { headGroupSpec: { template: {} } },
        },
        replicas: 1,
        selector: {
          matchLabels: {},
          matchExpressions: [{ key: 'ray.io/cluster', operator: 'In', values: [''] }],
        },
        template,
        minReadySeconds: 0,
      },
      status: {
        observedGeneration: 0,
        activeServiceStatus: noCluster,
        pendingServiceStatus: noCluster,
        conditions: [],
      },
    },
  ],
  DynamoGraphDeployment: [
    { spec: {} },
    {
      revisions: {
        label: 'nvidia.com/dynamo-worker-hash',
        next: undefined,
        former: [],
        kept: [],
        isSwitching: false,
      },
      workers: [],
      parts: [],
      spec: {
        annotations: {},
        backendFramework: '',
        env: [],
        components: [],
        replicas: 0,
        selector: {
          matchLabels: { 'nvidia.com/dynamo-graph-deployment-name': '' },
          matchExpressions: [{ key: 'nvidia.com/dynamo-worker-hash', operator: 'Exists', values: [] }],
        },
        template,
        minReadySeconds: 0,
      },
      status: { observedGeneration: 0, components: {}, conditions: [] },
    },
  ],
  // A Rollout without selector and template refers to a workload that has them.
  Rollout: [
    { spec: {} },
    {
      spec: {
        replicas: 1,
        selector,
        template,
        strategy: {},
        minReadySeconds: 0,
        progressDeadlineSeconds: 600,
        progressDeadlineAbort: false,
        revisionHistoryLimit: 10,
        paused: false,
      },
      status: {
        observedGeneration: '',
        workloadObservedGeneration: '',
        phase: '',
        stableRS: '',
        currentPodHash: '',
        currentStepHash: '',
        abort: false,
        promoteFull: false,
        controllerPause: false,
        pauseConditions: [],
        replicas: 0,
        updatedReplicas: 0,
        readyReplicas: 0,
        availableReplicas: 0,
        HPAReplicas: 0,
        canary: { currentExperiment: '' },
        blueGreen: { activeSelector: '', previewSelector: '', scaleUpPreviewCheckPoint: false },
        conditions: [],
      },
    },
  ],
  LeaderWorkerSet: [
    { spec: { leaderWorkerTemplate: { workerTemplate: {} } } },
    {
      spec: {
        replicas: 1,
        leaderWorkerTemplate: {
          workerTemplate: template,
          size: 1,
          restartPolicy: 'RecreateGroupOnPodRestart',
          volumeClaimTemplates: [],
          raw: { workerTemplate: {} },
        },
        rolloutStrategy: {
          type: 'RollingUpdate',
          rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 1, partition: 0 },
        },
        startupPolicy: 'LeaderCreated',
        selector: { matchLabels: { 'leaderworkerset.sigs.k8s.io/name': '' }, matchExpressions: [] },
        template,
        minReadySeconds: 0,
      },
      status: { observedGeneration: 0, replicas: 0, readyReplicas: 0, updatedReplicas: 0, conditions: [] },
    },
  ],
  ReplicaSet: [
    { spec: { selector: {}, template: {} } },
    {
      spec: { replicas: 1, minReadySeconds: 0, selector, template },
      status: {
        observedGeneration: 0,
        replicas: 0,
        fullyLabeledReplicas: 0,
        readyReplicas: 0,
        availableReplicas: 0,
        conditions: [],
      },
    },
  ],
  ControllerRevision: [{}, { revision: 0 }],
  Pod: [
    { spec: {} },
    {
      spec: podSpec,
      status: {
        phase: 'Pending',
        conditions: [],
        reason: '',
        message: '',
        allocatedResources: {},
        containerStatuses: [],
        initContainerStatuses: [],
        ephemeralContainerStatuses: [],
        resourceClaimStatuses: [],
      },
    },
  ],
  Node: [
    {},
    {
      metadata: metadataOfNode,
      spec: { unschedulable: false, taints: [] },
      status: {
        capacity: {},
        allocatable: {},
        conditions: [],
        nodeInfo: {
          kernelVersion: '',
          osImage: '',
          containerRuntimeVersion: '',
          kubeletVersion: '',
          operatingSystem: '',
          architecture: '',
        },
        declaredFeatures: [],
      },
    },
  ],
  Event: [
    {},
    {
      involvedObject: { kind: '', namespace: '', name: '', uid: '' },
      type: 'Normal',
      reason: '',
      message: '',
      count: 1,
      component: '',
      host: '',
    },
  ],
  Namespace: [{}, { status: { conditions: [] } }],
  ConfigMap: [{}, {}],
  Endpoints: [{}, {}],
  Secret: [{}, {}],
  PersistentVolumeClaim: [
    { spec: {} },
    { spec: { accessModes: [], volumeName: '' }, status: { phase: 'Pending', conditions: [] } },
  ],
  PersistentVolume: [
    { spec: {} },
    { spec: { accessModes: [], capacity: {} }, status: { phase: 'Available' } },
  ],
  StorageClass: [{}, { provisioner: '', volumeBindingMode: 'Immediate', allowedTopologies: [] }],
  VolumeAttachment: [
    { spec: { nodeName: 'node-a', source: {} } },
    { spec: { attacher: '', nodeName: 'node-a', source: {} }, status: { attached: false } },
  ],
  CSINode: [{ spec: {} }, { spec: { drivers: [] } }],
  CSIDriver: [
    { spec: {} },
    {
      spec: {
        attachRequired: true,
        storageCapacity: false,
        preventPodSchedulingIfMissing: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
      },
    },
  ],
  ResourceQuota: [{}, { spec: { hard: {}, scopes: [] }, status: { hard: {}, used: {} } }],
  LimitRange: [{ spec: {} }, { spec: { limits: [] } }],
  PriorityClass: [{}, { value: 0, globalDefault: false }],
  PodDisruptionBudget: [
    {},
    { spec: {}, status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0 } },
  ],
  HorizontalPodAutoscaler: [
    { spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' } } },
    { spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 1, metrics: [] } },
  ],
  Service: [{}, { spec: { selector: {}, clusterIP: '' } }],
  EndpointSlice: [{ endpoints: [{}] }, { endpoints: [{ conditions: { ready: true } }] }],
  Lease: [{}, { spec: {} }],
  ResourceClaim: [{}, { spec: { devices }, status: { reservedFor: [], devices: [] } }],
  ResourceClaimTemplate: [{ spec: {} }, { spec: { spec: { devices } } }],
  ResourceSlice: [
    { spec: { driver: 'gpu.example.com', pool: { name: 'p' } } },
    {
      spec: {
        driver: 'gpu.example.com',
        allNodes: false,
        perDeviceNodeSelection: false,
        sharedCounters: [],
        skipNodeOperations: [],
        pool: { name: 'p', generation: 0, resourceSliceCount: 1 },
        devices: [],
      },
    },
  ],
  DeviceClass: [{}, { spec: { selectors: [] } }],
  DeviceTaintRule: [
    { spec: { taint: { key: 'k' } } },
    { spec: { taint: { key: 'k', value: '', effect: '' } } },
  ],
  Application: [
    { spec: {} },
    {
      spec: { ignoreDifferences: [], sources: [], sourceHydrator: false },
      status: { sourceType: '', sourceTypes: [] },
    },
  ],
  Kustomization: [
    { spec: {} },
    {
      spec: {
        ...{ interval: '', suspend: false, ignore: [], path: '', namePrefix: '', nameSuffix: '' },
        ...{ patches: [], components: [] },
      },
      status: { lastAppliedRevision: '', lastAttemptedRevision: '', conditions: [] },
    },
  ],
  HelmRelease: [
    { spec: {} },
    {
      spec: {
        ...{ interval: '', suspend: false, releaseName: '', targetNamespace: '', chartRef: false },
        ...{ valuesFrom: [], postRenderers: [], timeout: '' },
      },
      status: { history: [], conditions: [] },
    },
  ],
  GitRepository: [{ spec: {} }, { spec: {}, status: {} }],
  InferenceService: [{}, { spec: {}, status: { conditions: [] } }],
  LLMInferenceService: [{}, { spec: {}, status: { conditions: [] } }],
  NodeClaim: [{}, { spec: {}, status: { conditions: [] } }],
  NodePool: [
    { spec: { template: { spec: {} } } },
    {
      spec: { template: { metadata: { labels: {} }, spec: { requirements: [], taints: [] } }, limits: {} },
      status: { resources: {}, conditions: [] },
    },
  ],
  Workload: [
    { spec: {} },
    {
      spec: { podSets: [], queueName: '', priority: 0, active: true },
      status: { conditions: [], admissionChecks: [], reclaimablePods: [], resourceRequests: [] },
    },
  ],
  LocalQueue: [{ spec: {} }, { spec: { clusterQueue: '', stopPolicy: 'None' }, status: { conditions: [] } }],
  ClusterQueue: [
    { spec: {} },
    {
      spec: {
        resourceGroups: [],
        queueingStrategy: 'BestEffortFIFO',
        preemption: { withinClusterQueue: 'Never', reclaimWithinCohort: 'Never' },
        stopPolicy: 'None',
      },
      status: { conditions: [], flavorsReservation: [] },
    },
  ],
  Cohort: [{}, { spec: { resourceGroups: [] } }],
  VerticalPodAutoscaler: [{}, { spec: {} }],
  PodGroup: [{}, { spec: { minMember: 0, minResources: {} }, status: { phase: '', conditions: [] } }],
  ResourceFlavor: [{}, { spec: { nodeLabels: {}, nodeTaints: [], tolerations: [] } }],
};

describe('the smallest object that the API may send', () => {
  it.each(resourceKinds)('of a %s is parsed with its defaults, for omitted fields and null', (kind) => {
    const [sent, read] = least[kind];
    const expected = { kind, metadata, ...read };

    expect(schemas[kind].parse({ metadata: {}, ...sent })).toEqual(expected);
    expect(schemas[kind].parse({ kind, metadata: {}, spec: {}, status: {}, ...sent })).toEqual(expected);
    const nulls = 'spec' in sent ? { status: null } : { spec: null, status: null };
    expect(schemas[kind].parse({ metadata: {}, ...sent, ...nulls })).toEqual(expected);
  });

  it.each(resourceKinds)('of a %s names no other kind', (kind) => {
    const [sent] = least[kind];
    expect(schemas[kind].safeParse({ kind: 'ServiceAccount', metadata: {}, ...sent }).success).toBe(false);
  });
});
