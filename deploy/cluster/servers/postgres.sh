#!/bin/sh
# The contract of the public image that the manifests name: PGDATA, POSTGRES_PASSWORD, and arguments for the server.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb -D "$PGDATA" -U postgres --pwfile=/dev/stdin --auth=scram-sha-256 --encoding=UTF8 --locale=C.UTF-8 --no-sync <<END
$POSTGRES_PASSWORD
END
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp "$@"
