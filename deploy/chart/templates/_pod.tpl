{{- /* Labels of one component. */ -}}
{{- define "rollout-doctor.labels" -}}
app.kubernetes.io/name: rollout-doctor
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "rollout-doctor.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "rollout-doctor.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ . }}
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "rollout-doctor.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}

{{- /* Where pods may run. */ -}}
{{- define "rollout-doctor.placement" -}}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* Names of the Slack credentials that are mounted as files, separated by blanks; empty without files. */ -}}
{{- define "rollout-doctor.slackFiles" -}}
{{- if .Values.slackCredentialFiles -}}
SLACK_BOT_TOKEN {{ ternary "SLACK_SIGNING_SECRET" "SLACK_APP_TOKEN" (eq (default "socket" .Values.config.SLACK_MODE) "http") }}
{{- end -}}
{{- end -}}

{{- /* Environment of a process. `signs`: it signs approvals. `names`: it asks or answers questions about names of clusters with workers of their own. `login`: it serves or checks the company's login. `queues`: what a worker serves. `changes`: it opens pull requests. */ -}}
{{- define "rollout-doctor.env" -}}
{{- $secret := .root.Values.existingSecret -}}
{{- $files := splitList " " (include "rollout-doctor.slackFiles" .root) | compact -}}
{{- range $name, $value := .root.Values.config }}
- {name: {{ $name }}, value: {{ $value | toString | quote }}}
{{- end }}
{{- if eq .root.Values.part "app" }}
- {name: CLUSTER_ACCESS, value: workers}
{{- else if eq .root.Values.part "cluster" }}
- {name: CLUSTER_NAME, value: {{ required "clusterName is needed" .root.Values.clusterName | quote }}}
{{- end }}
{{- with .root.Values.extraEnv }}
{{ toYaml . }}
{{- end }}
- {name: PORT, value: "3000"}
- {name: ALERTS_PORT, value: "3001"}
- {name: STATUS_PORT, value: "3002"}
{{- if and .root.Values.login.enabled .login }}
- {name: LOGIN_PORT, value: "3003"}
- {name: LOGIN_CLIENT_SECRET_FILE, value: /etc/rollout-doctor-login/LOGIN_CLIENT_SECRET}
{{- end }}
{{- if .root.Values.policy }}
- {name: POLICY_FILE, value: /etc/rollout-doctor/policy.yaml}
{{- end }}
{{- if .root.Values.alerts }}
- {name: ALERTS_FILE, value: /etc/rollout-doctor/alerts.yaml}
{{- end }}
{{- if .root.Values.git }}
- {name: GIT_FILE, value: /etc/rollout-doctor/git.yaml}
{{- end }}
{{- if and .kubeconfig (ne .root.Values.part "app") }}
- {name: KUBECONFIG, value: /etc/rollout-doctor-kubeconfig/config}
{{- end }}
{{- range (concat .root.Values.alertSecrets (ternary .root.Values.gitSecrets list (default false .changes))) }}
- name: {{ . }}
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ . }}}}
{{- end }}
{{- with .queues }}
- {name: WORKERS, value: {{ . | quote }}}
{{- end }}
{{- range $files }}
- {name: {{ . }}_FILE, value: /etc/rollout-doctor-slack/{{ . }}}
{{- end }}
{{- range (concat (list "SLACK_BOT_TOKEN") (ternary (list "APPROVAL_KEYS") list (default false .signs)) (ternary (list "ANSWER_KEYS") list (default false .names))) }}
{{- if not (has . $files) }}
- name: {{ . }}
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ . }}}}
{{- end }}
{{- end }}
{{- if .root.Values.redis.enabled }}
- {name: REDIS_URL, value: "redis://rollout-doctor-redis:6379"}
{{- else }}
- name: REDIS_URL
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: REDIS_URL}}
{{- end }}
{{- with .root.Values.redisSecret }}
{{- if and .name .caKey }}
- {name: REDIS_CA_FILE, value: /etc/rollout-doctor-redis/{{ .caKey }}}
{{- end }}
{{- if and .name .passwordKey }}
- {name: REDIS_PASSWORD_FILE, value: /etc/rollout-doctor-redis/{{ .passwordKey }}}
{{- end }}
{{- if and .name .sentinelPasswordKey }}
- {name: REDIS_SENTINEL_PASSWORD_FILE, value: /etc/rollout-doctor-redis/{{ .sentinelPasswordKey }}}
{{- end }}
{{- end }}
{{- range list "SLACK_APP_TOKEN" "SLACK_SIGNING_SECRET" }}
{{- if not (has . $files) }}
- name: {{ . }}
  valueFrom: {secretKeyRef: {name: {{ $secret }}, key: {{ . }}, optional: true}}
{{- end }}
{{- end }}
{{- end -}}

{{- define "rollout-doctor.volumeMounts" -}}
- {name: tmp, mountPath: /tmp}
- {name: settings, mountPath: /etc/rollout-doctor, readOnly: true}
{{- if and .kubeconfig (ne .root.Values.part "app") }}
- {name: kubeconfig, mountPath: /etc/rollout-doctor-kubeconfig, readOnly: true}
{{- end }}
{{- if .root.Values.slackCredentialFiles }}
- {name: slack, mountPath: /etc/rollout-doctor-slack, readOnly: true}
{{- end }}
{{- if and .root.Values.login.enabled .login }}
- {name: login, mountPath: /etc/rollout-doctor-login, readOnly: true}
{{- end }}
{{- if .root.Values.redisSecret.name }}
- {name: redis, mountPath: /etc/rollout-doctor-redis, readOnly: true}
{{- end }}
{{- end -}}

{{- define "rollout-doctor.volumes" -}}
- name: tmp
  emptyDir: {}
- name: settings
  configMap: {name: rollout-doctor-settings}
{{- if and .kubeconfig (ne .root.Values.part "app") }}
- name: kubeconfig
  secret: {secretName: {{ .kubeconfig }}}
{{- end }}
{{- if .root.Values.slackCredentialFiles }}
- name: slack
  secret:
    secretName: {{ .root.Values.existingSecret }}
    items:
      {{- range (splitList " " (include "rollout-doctor.slackFiles" .root)) }}
      - {key: {{ . }}, path: {{ . }}}
      {{- end }}
{{- end }}
{{- if and .root.Values.login.enabled .login }}
- name: login
  secret:
    secretName: {{ .root.Values.existingSecret }}
    items: [{key: LOGIN_CLIENT_SECRET, path: LOGIN_CLIENT_SECRET}]
{{- end }}
{{- with .root.Values.redisSecret.name }}
- name: redis
  secret: {secretName: {{ . }}}
{{- end }}
{{- end -}}
