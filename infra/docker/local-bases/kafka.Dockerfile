FROM localhost/caravan-local/debian:bookworm
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless && rm -rf /var/lib/apt/lists/*
COPY --from=kafka . /opt/kafka/libs
COPY --from=settings log4j2.properties /opt/kafka/config/log4j2.properties
COPY kafka-entrypoint.sh /usr/local/bin/entrypoint
RUN groupadd --gid 1000 appuser && useradd --uid 1000 --gid appuser appuser \
 && mkdir -p /var/lib/kafka/data && chown appuser:appuser /var/lib/kafka/data && chmod 755 /usr/local/bin/entrypoint
USER appuser
VOLUME /var/lib/kafka/data
ENTRYPOINT ["entrypoint"]
