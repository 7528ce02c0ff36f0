#!/bin/bash
# Like the public image: KAFKA_SOME_NAME is the broker's setting some.name.
set -eu
env | sed -n 's/^KAFKA_//p' | while IFS='=' read -r name value; do
  printf '%s=%s\n' "$(printf '%s' "$name" | tr 'A-Z_' 'a-z.')" "$value"
done >/tmp/kafka.properties
run=(java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dlog4j2.configurationFile=/opt/kafka/config/log4j2.properties -cp '/opt/kafka/libs/*')
[ -f "$KAFKA_LOG_DIRS/meta.properties" ] ||
  "${run[@]}" kafka.tools.StorageTool format --cluster-id="$CLUSTER_ID" -c /tmp/kafka.properties
exec "${run[@]}" -Xmx512m kafka.Kafka /tmp/kafka.properties
