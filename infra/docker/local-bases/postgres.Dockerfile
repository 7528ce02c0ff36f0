FROM localhost/caravan-local/debian:bookworm
COPY --from=postgres . /usr/local/postgresql
COPY postgres-entrypoint.sh /usr/local/bin/entrypoint
# The package brings no clients; a server that speaks its protocol on the port is ready.
RUN groupadd --gid 999 postgres && useradd --uid 999 --gid postgres postgres \
 && mkdir -p /var/lib/postgresql && chown postgres:postgres /var/lib/postgresql \
 && printf '#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/5432 && printf "\\0\\0\\0\\x8\\x4\\xd2\\x16\\x2f" >&3 && read -r -n 1 -t 2 <&3\n' >/usr/local/bin/pg_isready \
 && chmod 755 /usr/local/bin/pg_isready /usr/local/bin/entrypoint
USER postgres
VOLUME /var/lib/postgresql
STOPSIGNAL SIGINT
ENTRYPOINT ["entrypoint"]
CMD ["postgres"]
