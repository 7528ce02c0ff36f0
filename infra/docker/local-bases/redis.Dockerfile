FROM localhost/caravan-local/debian:bookworm
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends redis-server redis-tools && rm -rf /var/lib/apt/lists/* \
 && mkdir -p /data && chown redis:redis /data
USER redis
WORKDIR /data
VOLUME /data
CMD ["redis-server", "--protected-mode", "no"]
