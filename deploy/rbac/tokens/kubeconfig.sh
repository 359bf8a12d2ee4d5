#!/bin/sh
# Prints the kubeconfig of an account: `sh deploy/rbac/tokens/kubeconfig.sh reader`, or `patcher`. The name of the cluster and
# the address of its API server are those of the current context.
set -eu

case "${1:-}" in
  reader | patcher) account="rollout-doctor-$1" ;;
  *)
    echo 'Name the account: reader or patcher.' >&2
    exit 2
    ;;
esac
field() {
  kubectl -n rollout-doctor get secret "$account" -o "go-template={{$1}}"
}
# Kubernetes writes both a moment after the Secret was created.
for attempt in 1 2 3 4 5 6 7 8 9 10; do
  token=$(field .data.token)
  authority=$(field 'index .data "ca.crt"')
  case "$token$authority" in
    *'<no value>'*) sleep 1 ;;
    *) break ;;
  esac
done
case "$token$authority" in
  *'<no value>'*)
    echo "Kubernetes has written no token into the Secret $account." >&2
    exit 1
    ;;
esac
server=$(kubectl config view --minify -o 'jsonpath={.clusters[0].cluster.server}')
context=$(kubectl config current-context)
token=$(printf %s "$token" | base64 -d)
# `oc login` names a context after the user, who may be one of a Windows domain.
quoted="'$(printf %s "$context" | sed "s/'/''/g")'"
cat <<END
apiVersion: v1
kind: Config
current-context: $quoted
clusters:
  - name: $quoted
    cluster: {server: "$server", certificate-authority-data: "$authority"}
users:
  - name: "$account"
    user: {token: "$token"}
contexts:
  - name: $quoted
    context: {cluster: $quoted, user: "$account"}
END
