#!/usr/bin/env bash
# Rolls an overlay out, in the order that docs/deploy/upgrade.md explains, or back: rollout.sh OVERLAY [--back]
# It waits for each step and stops at the first that fails; to run it again goes on.
set -euo pipefail
overlay=${1:?rollout.sh OVERLAY [--back]}
k="kubectl --namespace delivery-dispatch"
forward="admin wallet dispatch webhook order ingestion gateway"
backward="gateway ingestion order webhook dispatch wallet admin"

rendered=$(mktemp -d)
trap 'rm -r "$rendered"' EXIT
kubectl kustomize "$overlay" > "$rendered/all.yaml"
# One file for each object that waits for its turn, one for all others.
awk -v folder="$rendered" '
  function put() {
    if (text == "") return
    job = kind == "Job"; ours = kind == "Deployment"
    file = job ? "job" : ours ? "deployment-" name : "first"
    printf "---\n%s", text >> (folder "/" file ".yaml"); text = ""; kind = ""; name = ""
  }
  /^---$/ { put(); next }
  /^kind: / { kind = $2 }
  /^  name: / && name == "" { name = $2 }
  { text = text $0 "\n" }
  END { put() }' "$rendered/all.yaml"

kubectl apply --server-side -f "$rendered/first.yaml"
if [ "${2:-}" != --back ]; then
  sets=$($k get statefulsets -o name)
  for set in $sets; do $k rollout status "$set" --timeout 10m; done
  # A Job is never changed: those of the release before make room.
  $k delete jobs --selector app.kubernetes.io/part-of=delivery-dispatch --ignore-not-found
  kubectl apply --server-side -f "$rendered/job.yaml"
  jobs=$($k get jobs --selector app.kubernetes.io/part-of=delivery-dispatch -o name)
  for job in $jobs; do
    $k wait "$job" --for condition=complete --timeout 30m
  done
  order=$forward
else
  order=$backward
fi
for process in $order; do
  kubectl apply --server-side -f "$rendered/deployment-$process.yaml"
  $k rollout status "deployment/$process" --timeout 10m
done
