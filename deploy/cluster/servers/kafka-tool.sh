#!/bin/sh
# A tool of Kafka's distribution, by the name that this file is called by.
case $0 in
*kafka-acls.sh) tool=org.apache.kafka.tools.AclCommand ;;
*kafka-configs.sh) tool=kafka.admin.ConfigCommand ;;
esac
# shellcheck disable=SC2086
exec java ${KAFKA_HEAP_OPTS:-} -cp "${KAFKA_CLASSES:-/opt/kafka/libs/*}" -Dorg.slf4j.simpleLogger.defaultLogLevel=warn "$tool" "$@"
