# A small object store for one machine: S3Proxy from infra/local/pom.xml over a folder, with its bucket made.
#   docker build -f infra/docker/s3.Dockerfile -t caravan/s3 .
ARG MAVEN=docker.io/library/maven:3.9.9-eclipse-temurin-17
ARG JRE=docker.io/library/eclipse-temurin:17.0.17_10-jre-noble

FROM ${MAVEN} AS jars
COPY infra/local /local
RUN mvn -B -q -ntp -f /local/pom.xml -pl s3proxy dependency:copy-dependencies -Djars=/jars

FROM ${JRE}
LABEL org.opencontainers.image.title="caravan/s3" org.opencontainers.image.licenses="Apache-2.0"
COPY --from=jars /jars/s3proxy /s3proxy
COPY infra/local/s3proxy/logback.xml /logback.xml
RUN mkdir /data && chown 1001:1001 /data
ENV S3_BUCKET=caravan
USER 1001:1001
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
