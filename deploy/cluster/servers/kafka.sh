#!/bin/sh
# The contract of the public image that the manifests name: every property as a variable, KAFKA_LOG_DIRS for log.dirs and
# KAFKA_SCRAM___SHA___512 for scram-sha-512.
set -eu
properties=/tmp/server.properties
awk 'BEGIN {
  for (name in ENVIRON) {
    if (name !~ /^KAFKA_/ || name == "KAFKA_HEAP_OPTS") continue
    key = tolower(substr(name, 7)); gsub(/___/, "-", key); gsub(/_/, ".", key)
    print key "=" ENVIRON[name]
  }
}' > "$properties"
kafka() { java $KAFKA_HEAP_OPTS -cp '/opt/kafka/libs/*' -Dorg.slf4j.simpleLogger.defaultLogLevel=warn "$@"; }
[ -s "$KAFKA_LOG_DIRS/meta.properties" ] ||
  kafka kafka.tools.StorageTool format -t 4L6g3nShT-eMCtK--X86sw -c "$properties"
exec java $KAFKA_HEAP_OPTS -cp '/opt/kafka/libs/*' -Dorg.slf4j.simpleLogger.defaultLogLevel=warn kafka.Kafka "$properties"
