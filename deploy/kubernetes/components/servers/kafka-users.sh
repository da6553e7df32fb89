#!/bin/sh
# Makes a user of each file of a folder, whose text is the password, and gives it the rights that docs/tls.md has for the
# service of that name; order-2 is one of order too, while it takes the other's place. It may be run again: a user that is
# there gets the password that is in its file now, and nobody is taken anything.
set -eu
PATH=$PATH:/opt/kafka/bin
users=${1:-/etc/kafka-users} server=${2:-localhost:9094}

acl() {
  kafka-acls.sh --bootstrap-server "$server" --add --allow-principal "User:$user" "$@"
}
for file in "$users"/*; do
  user=${file##*/}
  service=${user%%-*}
  # The last line of a Secret has no end.
  read -r password < "$file" || [ -n "$password" ]
  kafka-configs.sh --bootstrap-server "$server" --alter --entity-type users --entity-name "$user" \
    --add-config "SCRAM-SHA-512=[password=$password]"
  acl --topic "svc.$service.v1" --operation Write --operation Create --operation DescribeConfigs
  acl --topic svc. --group "$service" --resource-pattern-type prefixed --operation Read
  if [ "$service" = admin ]; then
    acl --topic svc. --resource-pattern-type prefixed --operation Create --operation DescribeConfigs
  fi
done
