/** The repository of the demo, and what is in it. */
export const demoRepository = 'acme/deploy';
export const demoPath = 'clusters/demo';
export const transcoderFile = `${demoPath}/transcoder.yaml`;

/** Manifest of the workload that Git owns, at a version of its image. */
export const transcoderManifest = (
  version: string,
): string => `# The team of the media pipeline keeps this file.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: transcoder
  namespace: media
  labels:
    app: transcoder
spec:
  replicas: 1
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1        # no capacity is lost during an update
      maxUnavailable: 0
  selector:
    matchLabels:
      app: transcoder
  template:
    metadata:
      labels:
        app: transcoder
    spec:
      tolerations:
        - key: node.example/pool
          operator: Equal
          value: media
          effect: NoSchedule
      containers:
        - name: transcoder
          image: registry.example/media/transcoder:${version}
          resources:
            requests:
              cpu: "2"
              memory: 8Gi
            limits:
              memory: 8Gi
              amd.com/gpu: "1"
`;

export const versionBefore = '1.8.2';
export const versionNow = '1.9.0';

/** Files of the repository when the demo starts. */
export const demoFiles: Readonly<Record<string, string>> = {
  'README.md': '# deploy\n\nManifests of the demo cluster. Flux applies what is on `main`.\n',
  [transcoderFile]: transcoderManifest(versionNow),
};
