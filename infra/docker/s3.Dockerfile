# The object store of the local run as an image: S3Proxy from infra/local/pom.xml over a folder, with its bucket made.
FROM maven:3.9-eclipse-temurin-17 AS jars
COPY infra/local /local
RUN mvn -B -q -ntp -f /local/pom.xml -pl s3proxy dependency:copy-dependencies -Djars=/jars

FROM eclipse-temurin:17-jre
COPY --from=jars /jars/s3proxy /s3proxy
COPY infra/local/s3proxy/logback.xml /logback.xml
ENV S3_BUCKET=caravan
VOLUME /data
EXPOSE 80
CMD ["sh", "-c", "\
  mkdir -p /data/$S3_BUCKET && printf '%s\\n' \
    s3proxy.endpoint=http://0.0.0.0:80 s3proxy.authorization=aws-v4 \
    s3proxy.identity=$S3_ACCESS_KEY s3proxy.credential=$S3_SECRET_KEY \
    jclouds.provider=filesystem-nio2 jclouds.filesystem.basedir=/data >/s3proxy.properties && \
  exec java -Xmx192m -Dlogback.configurationFile=/logback.xml -cp '/s3proxy/*' \
    org.gaul.s3proxy.Main --properties /s3proxy.properties"]
