# A small object store for one machine: S3Proxy from infra/local/pom.xml over a folder, with its bucket made.
#   docker build -f infra/docker/s3.Dockerfile -t caravan/s3 .
ARG MAVEN=docker.io/library/maven:3.9.9-eclipse-temurin-17@sha256:f58d59b6273e785ac0a4477f6e9b5ba1d7731c75b906c0f7b34076f1851318cc
ARG JRE=docker.io/library/eclipse-temurin:17.0.17_10-jre-noble@sha256:3421d7f073ded5491600707946dd7593502bdc87a18b3f234e7069574fb80401

FROM ${MAVEN} AS jars
COPY infra/local /local
RUN mvn -B -q -ntp -f /local/pom.xml -pl s3proxy dependency:copy-dependencies -Djars=/jars \
 && cd /jars && grep ' s3proxy/' /local/jars.sha256 | sha256sum --quiet --check --strict

FROM ${JRE}
LABEL org.opencontainers.image.title="caravan/s3" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=jars /jars/s3proxy /s3proxy
COPY infra/local/s3proxy/logback.xml /logback.xml
RUN mkdir /data && chown 10001:10001 /data
ENV S3_BUCKET=caravan
USER 10001:10001
VOLUME /data
EXPOSE 9000
# The settings hold a key: in memory, for this user alone.
CMD ["sh", "-c", "\
  umask 077 && mkdir -p /data/$S3_BUCKET && printf '%s\\n' \
    s3proxy.endpoint=http://0.0.0.0:9000 s3proxy.authorization=aws-v4 \
    s3proxy.identity=$S3_ACCESS_KEY s3proxy.credential=$S3_SECRET_KEY \
    jclouds.provider=filesystem-nio2 jclouds.filesystem.basedir=/data >/tmp/s3proxy.properties && \
  exec java -Xmx192m -Dlogback.configurationFile=/logback.xml -cp '/s3proxy/*' \
    org.gaul.s3proxy.Main --properties /tmp/s3proxy.properties"]
