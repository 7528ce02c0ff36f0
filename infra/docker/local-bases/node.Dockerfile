FROM localhost/caravan-local/debian:bookworm
COPY --from=node node /usr/local/bin/node
COPY --from=npm . /usr/local/lib/node_modules/npm
COPY --from=certificates ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
 && groupadd --gid 1000 node && useradd --uid 1000 --gid node --create-home node
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
CMD ["node"]
