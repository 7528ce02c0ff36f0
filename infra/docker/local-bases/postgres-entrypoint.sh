#!/bin/bash
set -eu
data=/var/lib/postgresql/18/docker
if [ ! -s "$data/PG_VERSION" ]; then
  mkdir -p "$data"
  printf '%s' "${POSTGRES_PASSWORD:?}" >/tmp/password
  /usr/local/postgresql/bin/initdb -D "$data" -U postgres --encoding=UTF8 --locale=C -A scram-sha-256 --pwfile=/tmp/password >/dev/null
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
fi
[ "$1" = postgres ] && shift
exec /usr/local/postgresql/bin/postgres -D "$data" -c listen_addresses='*' "$@"
